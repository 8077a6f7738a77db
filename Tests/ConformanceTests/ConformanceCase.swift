import Daedalus
import Testing

/// One document of the suite: what it is about, and how that shows.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// Below the suite's folder.
    let path: String
    let about: String
    /// The warnings and errors that reading it gives, each code once.
    let findings: Set<FindingCode>
    let check: @Sendable (ConformanceReading) throws -> Void

    var testDescription: String { "\(path): \(about)" }

    func run() throws {
        let reading = try ConformanceReading(path)
        let told = reading.findings.filter { [.error, .warning].contains($0.severity) }
        let shown = told.map { "\($0.code.rawValue): \($0.message)" }.joined(separator: "\n")
        #expect(Set(told.map(\.code)) == findings, "\(about): \(shown)")
        try check(reading)
    }
}

/// The table of one family; `only` and `both` are its rows.
typealias ConformanceFamily = [[ConformanceCase]]

/// A document that the suite has in one version.
///
/// - Parameter path: Without a file name it is that of the last folder.
func only(
    _ path: String, _ about: String, finds findings: Set<FindingCode> = [],
    check: @escaping @Sendable (ConformanceReading) throws -> Void
) -> [ConformanceCase] {
    [ConformanceCase(path: fullPath(path), about: about, findings: findings, check: check)]
}

/// A document that the suite has in 1.4 and, below `1_5`, in 1.5.
func both(
    _ path: String, _ about: String, finds findings: Set<FindingCode> = [],
    check: @escaping @Sendable (ConformanceReading) throws -> Void
) -> [ConformanceCase] {
    ["", "1_5/"].flatMap { only($0 + path, about, finds: findings, check: check) }
}

private func fullPath(_ path: String) -> String {
    if path.hasSuffix(".dae") || path.hasSuffix(".zae") { return path }
    return "\(path)/\(path.split(separator: "/").last ?? "").dae"
}

// MARK: - Expectations

/// Numbers that are the same to the digits that files hold.
func expect(
    _ actual: [Double]?, _ expected: [Double], within tolerance: Double = 1e-4, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let actual else {
        Issue.record(comment ?? "there is none; expected \(expected)", sourceLocation: sourceLocation)
        return
    }
    let isNear =
        actual.count == expected.count
        && zip(actual, expected).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
    #expect(
        isNear, "\(comment.map { "\($0): " } ?? "")is \(actual), expected \(expected)", sourceLocation: sourceLocation)
}

func expect(
    _ actual: Double?, _ expected: Double, within tolerance: Double = 1e-4,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expect(actual.map { [$0] }, [expected], within: tolerance, sourceLocation: sourceLocation)
}
