import Daedalus

/// One thing that is not as it should be, and what helps.
struct DoctorFinding: Sendable {
    let check: Check
    /// What it is about: a path below the data folder, or an asset's id.
    let subject: String
    let text: String
    /// What to do.
    let advice: String
    var outcome = Outcome.open

    enum Check: String, Sendable, CaseIterable {
        case database, version, blobWithoutRow, rowWithoutBlob, wrongDigest, leftover, strayResult, deadClaim
        case permissions, freeDisk
    }

    enum Outcome: String, Sendable {
        case open, repaired
    }

    var json: JSONValue {
        [
            "check": .string(check.rawValue), "subject": .string(subject), "text": .string(text),
            "advice": .string(advice), "outcome": .string(outcome.rawValue),
        ]
    }
}

/// What an examination found.
struct DoctorReport: Sendable {
    var findings: [DoctorFinding] = []

    var isHealthy: Bool { !findings.contains { $0.outcome == .open } }

    var json: JSONValue {
        [
            "schemaVersion": 1, "healthy": .bool(isHealthy), "findings": .array(findings.map(\.json)),
        ]
    }

    var text: String {
        guard !findings.isEmpty else { return "Healthy.\n" }
        return findings.map { finding in
            let mark = finding.outcome == .repaired ? "repaired" : "found"
            let advice = finding.outcome == .repaired ? "" : " \(finding.advice)"
            return "\(mark) \(finding.check.rawValue) \(finding.subject): \(finding.text)\(advice)\n"
        }.joined()
    }
}
