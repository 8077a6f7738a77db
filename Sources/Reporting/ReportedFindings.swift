public import Diagnostics

/// What is reported of one source's findings: those that the rules let through and no baseline knew.
public struct ReportedFindings: Sendable {
    /// In the order they were found, or worst first where there is a limit, with the severities that the rules give them.
    public private(set) var messages: [Finding] = []
    /// Of each severity all that count, shown or not.
    public private(set) var totals: [Severity: Int] = [:]
    /// Of each code those that count and are not among ``messages``.
    public private(set) var suppressed: [FindingCode: Int] = [:]
    /// Of these the ones that are milder than what is to be shown.
    public private(set) var milder: [FindingCode: Int] = [:]
    /// How many the baseline knew.
    public private(set) var known = 0

    /// - Parameter baseline: What was there before; `nil` where all is new.
    public init(_ log: FindingLog, rules: FindingRules = FindingRules(), baseline: Baseline.Source? = nil) {
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
    public func leftOut(_ code: FindingCode) -> Int { (suppressed[code] ?? 0) - (milder[code] ?? 0) }

    public func total(_ severity: Severity) -> Int { totals[severity] ?? 0 }

    public var isEmpty: Bool { totals.isEmpty }

    /// Whether there is any of this severity or a worse one.
    public func has(atLeast severity: Severity) -> Bool { totals.contains { $0.key >= severity && $0.value > 0 } }

    /// As `findings` in a report of form `json`.
    public var json: JSONValue { json(with: nil) }

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
