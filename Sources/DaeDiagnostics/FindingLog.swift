/// Collects findings; keeps at most `capPerCode` of each code and counts the rest, so a bad file takes bounded memory.
public struct FindingLog: Sendable, Hashable {
    /// Kept findings, in the order they were made.
    public private(set) var findings: [Finding] = []
    /// All findings of each code, kept or not.
    public private(set) var counts: [FindingCode: Int] = [:]
    /// All findings of each severity, kept or not.
    public private(set) var totals: [Severity: Int] = [:]
    public let capPerCode: Int

    package init(capPerCode: Int = 100) {
        self.capPerCode = capPerCode
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

    public func total(_ severity: Severity) -> Int { totals[severity] ?? 0 }

    /// How many of a code were counted but not kept.
    public func suppressed(_ code: FindingCode) -> Int { max(0, (counts[code] ?? 0) - capPerCode) }

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
