import Archive
import ColladaParser
public import Diagnostics

/// Why a bundle's scene could not be read.
public struct InspectionError: CodedError, Hashable {
    public let code: FindingCode
    public let place: Place
    public let message: String

    init(_ code: FindingCode, _ place: Place, _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    init(_ error: ArchiveError) {
        self.init(error.code, error.place, error.message)
    }

    init(_ error: ColladaError, entry: String) {
        self.init(error.code, error.place.within(entry: entry), error.message)
    }

    static let cancelled = InspectionError(.assetCancelled, Place(), "reading was cancelled")
}
