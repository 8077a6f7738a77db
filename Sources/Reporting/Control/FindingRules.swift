public import Diagnostics

/// Which findings count, and how much.
public struct FindingRules: Sendable, Equatable {
    /// Only these count; `nil` for all.
    public var only: Set<FindingCode>?
    public var ignored: Set<FindingCode> = []
    public var overrides: [FindingCode: Severity] = [:]
    /// How many findings of a source are shown, at least 0, the worst ones; the rest are counted. `nil` for all that were kept.
    public var maxFindings: Int?
    /// What is milder is counted and not shown; `nil` for nothing.
    public var minSeverity: Severity?

    var leastShown: Severity { minSeverity ?? .hint }

    public init() {}

    public func admits(_ code: FindingCode) -> Bool { !ignored.contains(code) && only?.contains(code) != false }

    /// These rules, and where both say something what `later` says: naming a code brings back what was ignored.
    public func overlaid(by later: FindingRules) -> FindingRules {
        var rules = self
        rules.only = later.only ?? only
        rules.ignored.subtract(later.overrides.keys)
        if let only = later.only { rules.ignored.subtract(only) }
        rules.ignored.formUnion(later.ignored)
        rules.overrides.merge(later.overrides) { _, later in later }
        rules.maxFindings = later.maxFindings ?? maxFindings
        rules.minSeverity = later.minSeverity ?? minSeverity
        return rules
    }
}
