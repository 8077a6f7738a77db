import Archive
import ColladaParser
public import Diagnostics

/// Why a bundle's scene could not be read, and what was found until then.
public struct InspectionError: CodedError, FindingsCarrying, Equatable {
    public let code: FindingCode
    public let place: Place
    public let message: String
    public let findings: FindingLog

    init(_ code: FindingCode, _ place: Place, _ message: String, _ findings: FindingLog = FindingLog()) {
        self.code = code
        self.place = place
        self.message = message
        self.findings = findings
    }

    init(_ error: ArchiveError, _ findings: FindingLog) {
        self.init(error.code, error.place, error.message, findings)
    }

    init(_ error: ColladaError, entry: String, _ findings: FindingLog) {
        self.init(error.code, error.place.within(entry: entry), error.message, findings)
    }
}
