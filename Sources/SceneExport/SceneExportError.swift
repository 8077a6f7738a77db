public import Diagnostics

/// Why a scene was not written.
public struct SceneExportError: CodedError {
    public var code: FindingCode
    public var place: Place
    public var message: String
    /// What would have been changed, where too much of it was: `nil` of every other error.
    public var report: FidelityReport?

    public init(
        _ code: FindingCode, at place: Place = Place(), _ message: String, report: FidelityReport? = nil
    ) {
        self.report = report
        self.code = code
        self.place = place
        self.message = message
    }

    static var stopped: SceneExportError {
        SceneExportError(.assetCancelled, "the conversion was stopped on request")
    }
}
