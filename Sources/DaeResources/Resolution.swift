package import DaeDiagnostics

/// What a reference was found to mean, and everything that was tried on the way.
package struct Resolution: Sendable, Hashable {
    /// As written in the document.
    package let reference: String
    /// Whether it names a place on somebody's machine: `/x`, `C:\x`, `file:…`.
    package let isAbsolute: Bool
    /// Every candidate in the order it was tried, each path once.
    package let trace: [Candidate]
    package let outcome: Outcome

    package enum Outcome: Sendable, Hashable {
        /// The bundle's file at `path`, relative to the bundle; for a lone document whose root lies higher than its
        /// folder it may begin with `../`.
        case found(path: String, rule: ResolutionRule, confidence: Confidence)
        /// A file of this machine that is no part of the bundle.
        case outside(HostFile, rule: ResolutionRule, confidence: Confidence)
        /// No rule led to a file.
        case missing
        /// Several files fit alike: the first of them by name, at most ``Resolution/shownPaths``, and how many in all.
        case ambiguous(paths: [String], count: Int, rule: ResolutionRule)
        case blocked(BlockedReason)
        /// On the web; not fetched.
        case remote(url: String)
        /// On the web, and got from there; the locator itself never does.
        case fetched(url: String)
        /// On the web, and asked for in vain; the reason begins with the address.
        case unfetched(url: String, reason: String)
        /// Its bytes stand in the reference itself (`data:`).
        case embedded(mediaType: String?)
    }

    package enum BlockedReason: String, Sendable, Hashable, CaseIterable {
        /// It leads out of the bundle, and nothing inside bears its name.
        case leavesBundle
        /// It holds a NUL or another control character, be it percent-encoded.
        case controlCharacter
        /// It is longer than any path in an archive can be.
        case tooLong
    }

    /// One path that a rule led to.
    package struct Candidate: Sendable, Hashable {
        package let rule: ResolutionRule
        /// A path in the bundle; for a missed name that name alone (`x.*` for any ending, `{a,b}/x` for a name that
        /// is nowhere in the bundle, and so in none of these folders), for an escape the text that
        /// escapes, for a file of this machine as ``HostFile/shown``.
        package let path: String
        /// The folder of this machine that it was looked for in, as it was given; `nil` for the bundle's own.
        package let folder: String?
        package let result: Result

        package enum Result: Sendable, Hashable {
            case hit, miss
            /// There is a folder of that path, and no file.
            case folder
            /// There is a symbolic link, at that path or on the way, that is not followed.
            case link
            /// A pipe, a device or the like.
            case special
            /// It would lie in an archive that cannot be opened.
            case unreadable
            /// Above the bundle's top; never looked up.
            case outside
            /// So many files, of which none is nearer.
            case several(Int)
            /// There is no package or model of that name.
            case unknownName
        }
    }

    /// How sure it is that the file found is the one meant.
    package enum Confidence: String, Sendable, Hashable, CaseIterable {
        /// What is written is there.
        case certain
        /// Found by a repair that rarely errs.
        case likely
        /// The nearest of several, or by a name that only looks alike.
        case guess
    }

    /// How many paths an ambiguous outcome keeps.
    package static let shownPaths = 16
}

// MARK: - Questions

extension Resolution {
    /// The outcome in one word.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case found, missing, embedded, blocked, ambiguous, remote
    }

    package var status: Status {
        switch outcome {
        case .found, .outside, .fetched: .found
        case .missing: .missing
        case .ambiguous: .ambiguous
        case .blocked: .blocked
        case .remote, .unfetched: .remote
        case .embedded: .embedded
        }
    }

    /// The file's path for a report, be it in the bundle or outside, or its address; `nil` unless found.
    package var path: String? {
        switch outcome {
        case .found(let path, _, _): path
        case .outside(let file, _, _): file.shown
        case .fetched(let url): url
        case .missing, .ambiguous, .blocked, .remote, .unfetched, .embedded: nil
        }
    }

    /// The file where it is no part of the bundle.
    package var hostFile: HostFile? {
        switch outcome {
        case .outside(let file, _, _): file
        case .found, .missing, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded: nil
        }
    }

    /// The rule that decided; `nil` where none did.
    package var rule: ResolutionRule? {
        switch outcome {
        case .found(_, let rule, _), .outside(_, let rule, _), .ambiguous(_, _, let rule): rule
        case .missing, .blocked, .remote, .fetched, .unfetched, .embedded: nil
        }
    }

    /// `nil` unless found.
    package var confidence: Confidence? {
        switch outcome {
        case .found(_, _, let confidence), .outside(_, _, let confidence): confidence
        case .fetched: .certain
        case .missing, .ambiguous, .blocked, .remote, .unfetched, .embedded: nil
        }
    }

    /// Whether it names a folder where a file was expected.
    package var namesFolder: Bool {
        for index in trace.indices where trace[index].result == .folder { return true }
        return false
    }
}

extension Resolution: CustomStringConvertible {
    /// The outcome in one line, then a line for each candidate.
    package var description: String {
        let rules = trace.map(\.rule.rawValue.count).max() ?? 0
        let results = trace.map(\.result.description.count).max() ?? 0
        let lines = trace.map { candidate in
            let rule = Self.padded(candidate.rule.rawValue, to: rules)
            let result = Self.padded(candidate.result.description, to: results)
            let folder = candidate.folder.map { "  (in \(Self.shown($0)))" } ?? ""
            return "  \(rule)  \(result)  \(Self.shown(candidate.path))\(folder)"
        }
        return (["\(Self.shown(reference)): \(outcome)"] + lines).joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// A text of a file, fit for a line on a terminal: control characters spelled out, at most 200 characters.
    static func shown(_ text: String) -> String {
        if isPlain(text) { return text }
        var shown = ""
        for scalar in text.unicodeScalars.prefix(200) {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0: shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.dropFirst(200).isEmpty ? shown : shown + "…"
    }

    /// Whether a text is shown as it is, by a quick look.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8.span
        guard bytes.count <= 200 else { return false }
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7F { return false }
        return true
    }
}

extension Resolution.Outcome: CustomStringConvertible {
    package var description: String {
        switch self {
        case .found(let path, let rule, let confidence):
            "found \(Resolution.shown(path)) \(rule.title) (\(rule.rawValue), \(confidence.rawValue))"
        case .outside(let file, let rule, let confidence):
            "found outside the bundle, \(Resolution.shown(file.shown)) \(rule.title) (\(rule.rawValue), \(confidence.rawValue))"
        case .missing: "missing"
        case .ambiguous(let paths, let count, let rule):
            "ambiguous, \(count) files fit \(rule.title) (\(rule.rawValue)): "
                + paths.map(Resolution.shown).joined(separator: ", ") + (paths.count < count ? ", …" : "")
        case .blocked(let reason): "blocked, it \(reason.text)"
        case .remote(let url): "remote \(Resolution.shown(url))"
        case .fetched: "fetched"
        case .unfetched(_, let reason): "remote, not fetched: \(reason)"
        case .embedded(let mediaType): "embedded \(Resolution.shown(mediaType ?? "data"))"
        }
    }
}

extension Resolution.Candidate.Result: CustomStringConvertible {
    package var description: String {
        switch self {
        case .hit: "hit"
        case .miss: "miss"
        case .folder: "folder"
        case .link: "link, not followed"
        case .special: "not a regular file"
        case .unreadable: "in an archive that cannot be opened"
        case .outside: "outside"
        case .several(let count): "\(count) files"
        case .unknownName: "unknown"
        }
    }
}

extension Resolution.BlockedReason {
    /// A clause that follows "it".
    package var text: String {
        switch self {
        case .leavesBundle: "leads out of the bundle"
        case .controlCharacter: "holds a control character"
        case .tooLong: "is longer than any path in an archive"
        }
    }
}

extension Resolution {
    /// What came of fetching a file of the web.
    package enum Fetch: Sendable, Hashable {
        case done
        case failed(reason: String)
    }

    /// The same reference once its address was asked for; unchanged unless it is on the web.
    package func after(_ fetch: Fetch) -> Resolution {
        switch outcome {
        case .remote(let url):
            let outcome: Outcome
            switch fetch {
            case .done: outcome = .fetched(url: url)
            case .failed(let reason): outcome = .unfetched(url: url, reason: reason)
            }
            return Resolution(reference: reference, isAbsolute: isAbsolute, trace: trace, outcome: outcome)
        case .found, .outside, .missing, .ambiguous, .blocked, .fetched, .unfetched, .embedded: return self
        }
    }

    /// Whether it was found, and is no part of the bundle.
    package var isOutside: Bool {
        switch outcome {
        case .outside, .fetched: true
        case .found, .missing, .ambiguous, .blocked, .remote, .unfetched, .embedded: false
        }
    }

    /// Where it is on the web; `nil` for what is not, or not known to be.
    package var webAddress: String? {
        switch outcome {
        case .remote(let url), .fetched(let url), .unfetched(let url, _): url
        case .found, .outside, .missing, .ambiguous, .blocked, .embedded: nil
        }
    }
}

extension Resolution {
    /// Every key always there, `null` where it does not apply: `reference`, `absolute`, `status`, `path`, `outside`,
    /// `root` (the label of the host's folder), `rule`, `confidence`, `url`, `mediaType`, `reason`, `candidates` with
    /// `count` (of an ambiguous one), and `trace` of `rule`, `path`, `folder`, `result`, `count`.
    package var json: JSONValue {
        var url: String?
        var mediaType: String?
        var reason: String?
        var candidates: [String] = []
        var count: Int?
        switch outcome {
        case .found, .outside, .missing: break
        case .ambiguous(let paths, let number, _): (candidates, count) = (paths, number)
        case .blocked(let why): reason = why.rawValue
        case .remote(let address), .fetched(let address): url = address
        case .unfetched(let address, let why): (url, reason) = (address, why)
        case .embedded(let type): mediaType = type
        }
        return [
            "reference": .string(reference), "absolute": .bool(isAbsolute), "status": .string(status.rawValue),
            "path": JSONValue(path), "outside": .bool(isOutside), "root": JSONValue(hostFile?.root.label),
            "rule": JSONValue(rule?.rawValue),
            "confidence": JSONValue(confidence?.rawValue), "url": JSONValue(url), "mediaType": JSONValue(mediaType),
            "reason": JSONValue(reason), "candidates": JSONValue(candidates), "count": JSONValue(count),
            "trace": .array(trace.map(\.json)),
        ]
    }
}

extension Resolution.Candidate {
    var json: JSONValue {
        [
            "rule": .string(rule.rawValue), "path": .string(path), "folder": JSONValue(folder),
            "result": .string(result.word), "count": count,
        ]
    }

    private var count: JSONValue {
        switch result {
        case .several(let count): JSONValue(count)
        case .hit, .miss, .folder, .link, .special, .unreadable, .outside, .unknownName: .null
        }
    }
}

extension Resolution.Candidate.Result {
    /// Stable, for reports.
    package var word: String {
        switch self {
        case .hit: "hit"
        case .miss: "miss"
        case .folder: "folder"
        case .link: "link"
        case .special: "special"
        case .unreadable: "unreadable"
        case .outside: "outside"
        case .several: "several"
        case .unknownName: "unknownName"
        }
    }
}
