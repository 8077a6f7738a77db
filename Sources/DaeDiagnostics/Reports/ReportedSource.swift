import DaeCore

/// One source as the forms of report need it.
package struct ReportedSource: Sendable {
    /// What holds the entries that findings name.
    package enum Container: Sendable {
        /// A lone document; entries lie beside it.
        case document
        case archive
        case folder
    }

    /// As it was given, but for a user name and password.
    package let name: String
    package let container: Container
    package let findings: ReportedFindings
    /// Why it could not be read to its end.
    package let failure: Finding?
    package let statistics: Statistics?
    /// The mildest severity by which it counts as failed.
    package let failOn: Severity
    /// Where entries lie, which may be an archive within the source.
    private let base: String
    /// What stands between that and an entry.
    private let mark: String
    /// A document that is the source itself, by its path in the bundle; `nil` where there is none.
    private let itself: String?

    /// - Parameters:
    ///   - scene: The document's path in the bundle.
    ///   - log: Everything that was found.
    package init(
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
    package func address(of entry: String?) -> String {
        guard let entry, entry != itself, name != entry, !name.hasSuffix("/" + entry) else { return name }
        // A document of the web is named by its address alone.
        if ["http://", "https://"].contains(where: entry.hasPrefix) { return entry }
        // The archive that was entered, itself.
        if mark == "!/", base.hasSuffix("/" + entry) { return base }
        return base.isEmpty ? entry : base + mark + entry
    }

    /// ``address(of:)`` as a reference of RFC 3986, percent-encoded.
    package func uri(of entry: String?) -> String { ReportURI.encoded(address(of: entry)) }

    /// `bundle.zip!/models/a.dae:14:5`, as far as known: what a line about a place begins with, so that editors and CI find
    /// it. No name makes it a command that CI would follow, such as `::error`.
    package func text(of place: Place) -> String {
        let address = address(of: place.entry)
        let isCommand = ["::", "##"].contains { address.drop { $0.isWhitespace }.hasPrefix($0) }
        return Place(entry: (isCommand ? "./" : "") + address, line: place.line, column: place.column).description
    }

    /// As `findings` in a report of form `json`: why it could not be read is the last of them.
    package var findingsJSON: JSONValue { findings.json(with: failure) }

    /// All that count, why it could not be read among them.
    package func total(_ severity: Severity) -> Int {
        findings.total(severity) + (failure?.severity == severity ? 1 : 0)
    }

    /// Whether it was read and has no finding at ``failOn`` or above.
    package var passes: Bool { failure == nil && !findings.has(atLeast: failOn) }

    /// What there is in it, for forms that say so.
    package struct Statistics: Sendable {
        package struct Resource: Sendable {
            /// As the document refers to it.
            package var reference: String?
            package var mediaType: String?
            package var bytes: Int64?
            package var width: Int?
            package var height: Int?

            package init(
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
        package var version: String?
        package var generator: String?
        package var resources: [Resource] = []
        package var animations = 0
        package var materials = 0
        package var morphs = 0
        package var skins = 0
        package var drawCalls = 0
        package var vertices = 0
        package var triangles = 0

        package init() {}
    }
}

/// What is reported of one source's findings: those that the rules let through and no baseline knew.
package struct ReportedFindings: Sendable {
    /// In the order they were found, or worst first where there is a limit, with the severities that the rules give them.
    package private(set) var messages: [Finding] = []
    /// Of each severity all that count, shown or not.
    package private(set) var totals: [Severity: Int] = [:]
    /// Of each code those that count and are not among ``messages``.
    package private(set) var suppressed: [FindingCode: Int] = [:]
    /// Of these the ones that are milder than what is to be shown.
    package private(set) var milder: [FindingCode: Int] = [:]
    /// How many the baseline knew.
    package private(set) var known = 0

    /// - Parameter baseline: What was there before; `nil` where all is new.
    package init(_ log: FindingLog, rules: FindingRules = FindingRules(), baseline: Baseline.Source? = nil) {
        var old = baseline
        var kept: [FindingCode: Int] = [:]
        var severities: [FindingCode: Severity] = [:]
        for var finding in log.findings where rules.admits(finding.code) {
            finding.severity = rules.overrides[finding.code] ?? finding.severity
            kept[finding.code, default: 0] += 1
            severities[finding.code] = finding.severity
            if old?.take(FindingIdentity(finding)) == true {
                known += 1
                continue
            }
            totals[finding.severity, default: 0] += 1
            if finding.severity >= rules.leastShown {
                messages.append(finding)
            } else {
                hide(finding.code, finding.severity, rules)
            }
        }
        if let limit = rules.maxFindings, messages.count > limit {
            messages = Severity.allCases.flatMap { severity in messages.filter { $0.severity == severity } }
            for finding in messages[limit...] { hide(finding.code, finding.severity, rules) }
            messages.removeSubrange(limit...)
        }
        // Those that were counted only: nothing of them can be compared but their number.
        for (code, count) in log.counts where rules.admits(code) {
            let unkept = count - (kept[code] ?? 0)
            let before = min(unkept, old?.suppressed[code] ?? 0)
            known += before
            guard unkept > before else { continue }
            let severity = severities[code] ?? rules.overrides[code] ?? code.severity
            hide(code, severity, rules, count: unkept - before)
            totals[severity, default: 0] += unkept - before
        }
    }

    private mutating func hide(_ code: FindingCode, _ severity: Severity, _ rules: FindingRules, count: Int = 1) {
        suppressed[code, default: 0] += count
        if severity < rules.leastShown { milder[code, default: 0] += count }
    }

    /// How many of a code would be shown if there was more room.
    package func leftOut(_ code: FindingCode) -> Int { (suppressed[code] ?? 0) - (milder[code] ?? 0) }

    package func total(_ severity: Severity) -> Int { totals[severity] ?? 0 }

    package var isEmpty: Bool { totals.isEmpty }

    /// Whether there is any of this severity or a worse one.
    package func has(atLeast severity: Severity) -> Bool { totals.contains { $0.key >= severity && $0.value > 0 } }

    /// As `findings` in a report of form `json`.
    package var json: JSONValue { json(with: nil) }

    /// - Parameter failure: Why the source could not be read, which is one of them.
    func json(with failure: Finding?) -> JSONValue {
        [
            "errors": JSONValue(total(.error) + (failure == nil ? 0 : 1)), "warnings": JSONValue(total(.warning)),
            "infos": JSONValue(total(.info)), "hints": JSONValue(total(.hint)), "known": JSONValue(known),
            "suppressed": .object(
                Dictionary(
                    suppressed.map { ($0.key.rawValue, JSONValue($0.value)) }, uniquingKeysWith: { first, _ in first })),
            "messages": .array((messages + [failure].compactMap(\.self)).map(\.json)),
        ]
    }
}

private enum ReportURI {
    /// A path, or an address as it is, as a relative or absolute reference.
    static func encoded(_ address: String) -> String {
        if let scheme = ["http://", "https://"].first(where: { address.lowercased().hasPrefix($0) }) {
            return scheme
                + PercentEncoding.encode(String(address.dropFirst(scheme.count)), keeping: "/?#[]@:!$&'()*+,;=%")
        }
        var path = Substring(address)
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        return (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encode(String(path), keeping: "/!$&'()*+,;=@")
    }
}
