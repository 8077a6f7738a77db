/// What a reference was found to mean, and everything that was tried on the way.
public struct Resolution: Sendable, Hashable {
    /// As written in the document.
    public let reference: String
    /// Whether it names a place on somebody's machine: `/x`, `C:\x`, `file:…`.
    public let isAbsolute: Bool
    /// Every candidate in the order it was tried, each path once.
    public let trace: [Candidate]
    public let outcome: Outcome

    public enum Outcome: Sendable, Hashable {
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

    public enum BlockedReason: String, Sendable, Hashable, CaseIterable {
        /// It leads out of the bundle, and nothing inside bears its name.
        case leavesBundle
        /// It holds a NUL or another control character, be it percent-encoded.
        case controlCharacter
        /// It is longer than any path in an archive can be.
        case tooLong
    }

    /// One path that a rule led to.
    public struct Candidate: Sendable, Hashable {
        public let rule: ResolutionRule
        /// A path in the bundle; for a missed name that name alone (`x.*` for any ending, `{a,b}/x` for a name that
        /// is nowhere in the bundle, and so in none of these folders), for an escape the text that
        /// escapes, for a file of this machine as ``HostFile/shown``.
        public let path: String
        /// The folder of this machine that it was looked for in, as it was given; `nil` for the bundle's own.
        public let folder: String?
        public let result: Result

        public enum Result: Sendable, Hashable {
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
    public enum Confidence: String, Sendable, Hashable, CaseIterable {
        /// What is written is there.
        case certain
        /// Found by a repair that rarely errs.
        case likely
        /// The nearest of several, or by a name that only looks alike.
        case guess
    }

    /// How many paths an ambiguous outcome keeps.
    public static let shownPaths = 16
}

// MARK: - Questions

extension Resolution {
    /// The outcome in one word.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case found, missing, embedded, blocked, ambiguous, remote
    }

    public var status: Status {
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
    public var path: String? {
        switch outcome {
        case .found(let path, _, _): path
        case .outside(let file, _, _): file.shown
        case .fetched(let url): url
        case .missing, .ambiguous, .blocked, .remote, .unfetched, .embedded: nil
        }
    }

    /// The file where it is no part of the bundle.
    public var hostFile: HostFile? {
        switch outcome {
        case .outside(let file, _, _): file
        case .found, .missing, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded: nil
        }
    }

    /// The rule that decided; `nil` where none did.
    public var rule: ResolutionRule? {
        switch outcome {
        case .found(_, let rule, _), .outside(_, let rule, _), .ambiguous(_, _, let rule): rule
        case .missing, .blocked, .remote, .fetched, .unfetched, .embedded: nil
        }
    }

    /// `nil` unless found.
    public var confidence: Confidence? {
        switch outcome {
        case .found(_, _, let confidence), .outside(_, _, let confidence): confidence
        case .fetched: .certain
        case .missing, .ambiguous, .blocked, .remote, .unfetched, .embedded: nil
        }
    }

    /// Whether it names a folder where a file was expected.
    public var namesFolder: Bool {
        for index in trace.indices where trace[index].result == .folder { return true }
        return false
    }
}
