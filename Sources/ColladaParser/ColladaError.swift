public import Diagnostics
import XMLReader

/// Why a document could not be read to its end as COLLADA. What is merely odd is a ``Finding``, not this.
public struct ColladaError: CodedError, Hashable {
    public let code: FindingCode
    public let place: Place
    public let message: String

    init(_ code: FindingCode, at place: Place = Place(), _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    init(_ error: XMLError) {
        self.init(error.code, at: error.place, error.message)
    }
}
