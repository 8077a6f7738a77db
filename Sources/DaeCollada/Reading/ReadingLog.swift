import DaeDiagnostics

/// The findings of one document. What the check against the schema has reported about an element is not reported a second time by
/// what reads the element, which would use other words for it.
struct ReadingLog {
    private struct Reported: Hashable {
        let code: FindingCode
        /// Where the element begins.
        let byte: Int64
    }
    var findings = FindingLog()
    private var reported: Set<Reported> = []
    private var reportedCodes: Set<FindingCode> = []

    /// Beyond so many faults of one document the rest may be counted twice.
    private static let mostReported = 1 << 16

    mutating func add(
        _ code: FindingCode, at place: @autoclosure () -> Place = Place(), _ message: @autoclosure () -> String,
        arguments: @autoclosure () -> [Finding.Argument] = [], related: @autoclosure () -> [Place] = [],
        fix: @autoclosure () -> String? = nil, severity: Severity? = nil
    ) {
        if !reported.isEmpty, reportedCodes.contains(code), let byte = place().byte,
            reported.contains(Reported(code: code, byte: byte))
        {
            return
        }
        findings.add(
            code, at: place(), message(), arguments: arguments(), related: related(), fix: fix(), severity: severity)
    }

    /// Counts further findings of a code without keeping them.
    mutating func count(_ code: FindingCode, times: Int) { findings.count(code, times: times) }

    /// Notes that the check has found something about the element that begins at `byte`.
    ///
    /// - Returns: Whether the finding is to be added. One that is not is counted, with the severity that it has.
    mutating func takes(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity) -> Bool {
        if reported.count < Self.mostReported {
            reported.insert(Reported(code: code, byte: byte))
            reportedCodes.insert(code)
        }
        guard (findings.counts[code] ?? 0) < findings.capPerCode else {
            findings.add(code, "", severity: severity)
            return false
        }
        return true
    }
}
