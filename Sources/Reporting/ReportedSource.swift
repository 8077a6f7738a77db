public import Diagnostics

/// One source as the forms of report need it.
public struct ReportedSource: Sendable {
    /// What holds the entries that findings name.
    public enum Container: Sendable {
        /// A lone document; entries lie beside it.
        case document
        case archive
        case folder
    }

    /// As it was given, but for a user name and password.
    public let name: String
    public let container: Container
    public let findings: ReportedFindings
    /// Why it could not be read to its end.
    public let failure: Finding?
    public let statistics: Statistics?
    /// The mildest severity by which it counts as failed.
    public let failOn: Severity
    /// Where entries lie, which may be an archive within the source.
    private let base: String

    /// - Parameters:
    ///   - scene: The document's path in the bundle.
    ///   - log: Everything that was found.
    public init(
        name: String, container: Container, scene: String? = nil, log: FindingLog, rules: FindingRules = FindingRules(),
        baseline: Baseline.Source? = nil, failOn: Severity = .error, failure: Finding? = nil,
        statistics: Statistics? = nil
    ) {
        self.name = name
        self.container = container
        self.failure = failure
        self.statistics = statistics
        self.failOn = failOn
        findings = ReportedFindings(log, rules: rules, baseline: baseline)
        switch container {
        case .document:
            let path = scene.flatMap { name.hasSuffix("/" + $0) ? String(name.dropLast($0.count + 1)) : nil }
            base = path ?? name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
        case .folder: base = name.hasSuffix("/") ? String(name.dropLast()) : name
        case .archive:
            let given = scene.flatMap { name.hasSuffix("!/" + $0) ? String(name.dropLast($0.count + 2)) : nil }
            let nested = log.findings.first { $0.code == .bundleNestedArchive }?.place.entry
            base = given ?? nested.map { name + "!/" + $0 } ?? name
        }
    }

    /// How an entry is named from outside: `bundle.zip!/models/a.dae`, `folder/a.dae`; the source itself for `nil`.
    public func address(of entry: String?) -> String {
        guard let entry, name != entry, !name.hasSuffix("/" + entry) else { return name }
        switch container {
        case .document, .folder: return base.isEmpty ? entry : base + "/" + entry
        case .archive: return base.hasSuffix("!/" + entry) ? base : base + "!/" + entry
        }
    }

    /// ``address(of:)`` as a reference of RFC 3986, percent-encoded.
    public func uri(of entry: String?) -> String { ReportURI.encoded(address(of: entry)) }

    /// Whether it was read and has no finding at ``failOn`` or above.
    public var passes: Bool { failure == nil && !findings.has(atLeast: failOn) }

    /// What there is in it, for forms that tell.
    public struct Statistics: Sendable {
        public struct Resource: Sendable {
            /// As the document refers to it.
            public var reference: String?
            public var mediaType: String?
            public var bytes: Int64?
            public var width: Int?
            public var height: Int?

            public init(
                reference: String?, mediaType: String? = nil, bytes: Int64? = nil, width: Int? = nil,
                height: Int? = nil
            ) {
                self.reference = reference
                self.mediaType = mediaType
                self.bytes = bytes
                self.width = width
                self.height = height
            }
        }
        public var version: String?
        public var generator: String?
        public var resources: [Resource] = []
        public var animations = 0
        public var materials = 0
        public var morphs = 0
        public var skins = 0
        public var drawCalls = 0
        public var vertices = 0
        public var triangles = 0

        public init() {}
    }
}
