/// Something wrong but usable, as data: by code, with its place and the values seen and allowed.
public struct Finding: Sendable, Hashable {
    /// One of the values that a message names.
    public struct Argument: Sendable, Hashable {
        /// What it is, such as `count`; the same in every finding of a code.
        public let name: String
        /// The value as text.
        public let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What kind of finding it is.
    public let code: FindingCode
    /// How much it matters; that of its code unless rules say otherwise.
    public var severity: Severity
    /// Where it is.
    public var place: Place
    /// One sentence with the value seen and the value allowed.
    public let message: String
    /// The values in the message, in order, for programs.
    public let arguments: [Argument]
    /// Other places it is about, such as the first definition of a duplicate id.
    public var related: [Place]
    /// What would mend it, when that is mechanical.
    public let fix: String?

    package init(
        _ code: FindingCode, at place: Place = Place(), _ message: String, arguments: [Argument] = [],
        related: [Place] = [], fix: String? = nil, severity: Severity? = nil
    ) {
        self.code = code
        self.severity = severity ?? code.severity
        self.place = place
        self.message = message
        self.arguments = arguments
        self.related = related
        self.fix = fix
    }

    /// What a rule of one's own found: a ``FindingCode/customRule``, whose first argument names the rule.
    ///
    /// - Parameters:
    ///   - rule: Such as `acme/texture-size`.
    ///   - message: One sentence with the value seen and the value allowed.
    public init(rule: String, severity: Severity = .warning, at place: Place = Place(), _ message: String) {
        self.init(.customRule, at: place, message, arguments: [Argument("rule", rule)], severity: severity)
    }

    /// The part of the work that found it.
    public var stage: FindingStage { code.stage }
}

/// Where in a bundle something stands. Every part is `nil` when it does not apply.
public struct Place: Sendable, Hashable {
    /// The entry's path in the bundle.
    public var entry: String?
    /// From 1.
    public var line: Int?
    /// From 1, in characters.
    public var column: Int?
    /// From 0, in the document as UTF-8.
    package var byte: Int64?
    /// The element's path, such as `/COLLADA/library_geometries/geometry[@id='g']`.
    public var path: String?
    /// The `id` of the element, or of the nearest around it that has one.
    public var elementID: String?
    /// Of several documents that are read into one, which; 0 is the first. Says no more than ``entry`` where that is
    /// known.
    package var document = 0

    /// A place of which some parts are known.
    public init(
        entry: String? = nil, line: Int? = nil, column: Int? = nil, byte: Int64? = nil, path: String? = nil,
        elementID: String? = nil
    ) {
        self.entry = entry
        self.line = line
        self.column = column
        self.byte = byte
        self.path = path
        self.elementID = elementID
    }

    /// The same place, in `entry` if none was known.
    package func within(entry: String?) -> Place {
        var place = self
        place.entry = place.entry ?? entry
        return place
    }
}

extension Place: CustomStringConvertible {
    /// `entry:line:column`, as far as known.
    public var description: String {
        var parts: [String] = []
        if let entry { parts.append(entry) }
        if let line {
            parts.append(String(line))
            if let column { parts.append(String(column)) }
        }
        return parts.joined(separator: ":")
    }
}

/// How much a finding matters, worst first.
public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Something is lost or wrong.
    case error
    /// Usable, but not as it should be.
    case warning
    /// Worth knowing.
    case info
    /// Could be better.
    case hint

    /// 0 for the worst.
    package var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .hint: 3
        }
    }
}

extension Severity {
    // The library would hash its text.
    public func hash(into hasher: inout Hasher) { hasher.combine(rank) }
}

extension Severity: Comparable {
    /// Less is milder: `hint < info < warning < error`.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank > right.rank }
}

/// Which part of the work a finding belongs to.
public enum FindingStage: String, Sendable, Hashable, CaseIterable {
    case download, archive, xml, schema, link, data, scene, resource, convert
}

extension Finding {
    /// With the keys of the report's schema.
    package var json: JSONValue {
        var members = place.members
        members["code"] = .string(code.rawValue)
        members["severity"] = .string(severity.rawValue)
        members["stage"] = .string(stage.rawValue)
        members["path"] = JSONValue(place.path)
        members["message"] = .string(message)
        members["args"] = .array(arguments.map { ["name": .string($0.name), "value": .string($0.value)] })
        members["related"] = .array(related.map { .object($0.members) })
        members["fix"] = JSONValue(fix)
        return .object(members)
    }
}

extension Place {
    fileprivate var members: [String: JSONValue] {
        [
            "entry": JSONValue(entry), "line": JSONValue(line), "column": JSONValue(column),
            "elementId": JSONValue(elementID),
        ]
    }
}

extension FindingLog {
    package var json: JSONValue {
        [
            "errors": JSONValue(total(.error)), "warnings": JSONValue(total(.warning)),
            "infos": JSONValue(total(.info)), "hints": JSONValue(total(.hint)),
            "messages": .array(findings.map(\.json)),
        ]
    }
}

/// Collects findings; keeps at most `capPerCode` of each code and counts the rest, so a bad file takes bounded memory.
public struct FindingLog: Sendable, Hashable {
    /// Kept findings, in the order they were made.
    public private(set) var findings: [Finding] = []
    /// All findings of each code, kept or not.
    public private(set) var counts: [FindingCode: Int] = [:]
    /// All findings of each severity, kept or not.
    package private(set) var totals: [Severity: Int] = [:]
    package let capPerCode: Int

    package init(capPerCode: Int = 100) {
        self.capPerCode = capPerCode
    }

    /// A log that was kept elsewhere.
    ///
    /// - Parameter totals: All findings of each severity, kept or not.
    package init(kept findings: [Finding], totals: [Severity: Int]) {
        self.init(capPerCode: .max)
        self.findings = findings
        self.totals = totals
        for finding in findings { counts[finding.code, default: 0] += 1 }
    }

    /// Adds a finding; the message is only made when it is kept.
    package mutating func add(
        _ code: FindingCode, at place: @autoclosure () -> Place = Place(), _ message: @autoclosure () -> String,
        arguments: @autoclosure () -> [Finding.Argument] = [], related: @autoclosure () -> [Place] = [],
        fix: @autoclosure () -> String? = nil, severity: Severity? = nil
    ) {
        guard admits(code, severity: severity ?? code.severity) else { return }
        findings.append(
            Finding(
                code, at: place(), message(), arguments: arguments(), related: related(), fix: fix(),
                severity: severity))
    }

    /// Adds a finding of a code and a severity; it is only made when it is kept.
    package mutating func add(_ code: FindingCode, severity: Severity, make: () -> Finding) {
        if admits(code, severity: severity) { findings.append(make()) }
    }

    package mutating func add(_ finding: Finding) {
        guard admits(finding.code, severity: finding.severity) else { return }
        findings.append(finding)
    }

    /// Adds all of `other`, with its places put into `entry` where they name none.
    package mutating func merge(_ other: FindingLog, entry: String? = nil) {
        merge(other) { _ in entry }
    }

    /// Adds all of `other`, which is about several documents; `entries` are theirs, by ``Place/document``.
    package mutating func merge(_ other: FindingLog, entries: [String?]) {
        merge(other) { entries.indices.contains($0.document) ? entries[$0.document] : nil }
    }

    private mutating func merge(_ other: FindingLog, entry: (Place) -> String?) {
        var kept: [FindingCode: Int] = [:]
        for var finding in other.findings {
            finding.place = finding.place.within(entry: entry(finding.place))
            finding.related = finding.related.map { $0.within(entry: entry($0)) }
            kept[finding.code, default: 0] += 1
            add(finding)
        }
        for (code, count) in other.counts {
            let suppressed = count - (kept[code] ?? 0)
            guard suppressed > 0 else { continue }
            counts[code, default: 0] += suppressed
            totals[code.severity, default: 0] += suppressed
        }
    }

    /// Hands over every place of the findings that are kept.
    package mutating func updatePlaces(_ change: (inout Place) -> Void) {
        for index in findings.indices {
            change(&findings[index].place)
            for related in findings[index].related.indices { change(&findings[index].related[related]) }
        }
    }

    /// Counts further findings of a code without keeping them.
    package mutating func count(_ code: FindingCode, times: Int = 1) {
        guard times > 0 else { return }
        counts[code, default: 0] += times
        totals[code.severity, default: 0] += times
    }

    /// How many findings of a severity there are, those included that were counted and not kept.
    public func total(_ severity: Severity) -> Int { totals[severity] ?? 0 }

    /// How many of a code were counted but not kept.
    package func suppressed(_ code: FindingCode) -> Int { max(0, (counts[code] ?? 0) - capPerCode) }

    /// Whether one more of this code is kept.
    private mutating func admits(_ code: FindingCode, severity: Severity) -> Bool {
        totals[severity, default: 0] += 1
        return Self.increment(&counts[code, default: 0]) <= capPerCode
    }

    private static func increment(_ count: inout Int) -> Int {
        count += 1
        return count
    }
}
