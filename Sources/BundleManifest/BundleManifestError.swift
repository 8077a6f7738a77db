public import Diagnostics

/// Why no scene could be chosen in a bundle.
public struct BundleManifestError: CodedError, Hashable {
    public let code: FindingCode
    public let place: Place
    public let message: String

    init(_ code: FindingCode, entry: String? = nil, _ message: String) {
        self.code = code
        self.place = Place(entry: entry)
        self.message = message
    }
}
