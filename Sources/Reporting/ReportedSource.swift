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
    /// What stands between that and an entry.
    private let mark: String
    /// A document that is the source itself, by its path in the bundle; `nil` where there is none.
    private let itself: String?

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
        let nested = log.findings.first { $0.code == .bundleNestedArchive }?.place.entry
        switch container {
        case .document:
            (itself, mark) = (scene, "/")
            base = Self.base(of: name, scene)
        case .folder:
            (itself, mark) = (nil, nested == nil ? "/" : "!/")
            let folder = name.hasSuffix("/") ? String(name.dropLast()) : name
            base = nested.map { folder + "/" + $0 } ?? folder
        case .archive:
            (itself, mark) = (nil, "!/")
            let given = scene.flatMap { name.hasSuffix("!/" + $0) ? String(name.dropLast($0.count + 2)) : nil }
            base = given ?? nested.map { name + "!/" + $0 } ?? name
        }
    }

    /// The bundle's folder, as seen from where the document was named.
    private static func base(of name: String, _ scene: String?) -> String {
        var outer = name.split(separator: "/", omittingEmptySubsequences: false)
        var inner = (scene ?? "").split(separator: "/")
        while let last = outer.last, last == inner.last {
            outer.removeLast()
            inner.removeLast()
        }
        if outer.isEmpty { return inner.map { _ in ".." }.joined(separator: "/") }
        if inner.isEmpty, scene != nil { return outer.joined(separator: "/") }
        return name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
    }

    /// How an entry is named from outside: `bundle.zip!/models/a.dae`, `folder/a.dae`; the source itself for `nil`.
    public func address(of entry: String?) -> String {
        guard let entry, entry != itself, name != entry, !name.hasSuffix("/" + entry) else { return name }
        // A document of the web is named by its address alone.
        if ["http://", "https://"].contains(where: entry.hasPrefix) { return entry }
        // The archive that was entered, itself.
        if mark == "!/", base.hasSuffix("/" + entry) { return base }
        return base.isEmpty ? entry : base + mark + entry
    }

    /// ``address(of:)`` as a reference of RFC 3986, percent-encoded.
    public func uri(of entry: String?) -> String { ReportURI.encoded(address(of: entry)) }

    /// `bundle.zip!/models/a.dae:14:5`, as far as known: what a line about a place begins with, so that editors and CI find
    /// it. No name makes it a command that CI would follow, such as `::error`.
    public func text(of place: Place) -> String {
        let address = address(of: place.entry)
        let isCommand = ["::", "##"].contains { address.drop { $0.isWhitespace }.hasPrefix($0) }
        return Place(entry: (isCommand ? "./" : "") + address, line: place.line, column: place.column).description
    }

    /// As `findings` in a report of form `json`: why it could not be read is the last of them.
    public var findingsJSON: JSONValue { findings.json(with: failure) }

    /// All that count, why it could not be read among them.
    public func total(_ severity: Severity) -> Int {
        findings.total(severity) + (failure?.severity == severity ? 1 : 0)
    }

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
