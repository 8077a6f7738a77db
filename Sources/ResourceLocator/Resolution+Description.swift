extension Resolution: CustomStringConvertible {
    /// The outcome in one line, then a line for each candidate.
    public var description: String {
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
    public var description: String {
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
    public var description: String {
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
    public var text: String {
        switch self {
        case .leavesBundle: "leads out of the bundle"
        case .controlCharacter: "holds a control character"
        case .tooLong: "is longer than any path in an archive"
        }
    }
}
