import Diagnostics

/// What a stage failed of, with what was found until then.
struct StageError: CodedError, FindingsCarrying {
    let code: FindingCode
    let place: Place
    let message: String
    let findings: FindingLog

    init(_ code: FindingCode, _ message: String, at place: Place = Place(), findings: FindingLog = FindingLog()) {
        self.code = code
        self.place = place
        self.message = message
        self.findings = findings
    }

    init(_ error: any CodedError, findings: FindingLog) {
        self.init(error.code, error.message, at: error.place, findings: findings)
    }
}
