public import Diagnostics

/// Why a scene was not written.
public struct SceneExportError: CodedError {
    public var code: FindingCode
    public var place: Place
    public var message: String

    public init(_ code: FindingCode, at place: Place = Place(), _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }
}
