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
    public var rank: Int {
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
