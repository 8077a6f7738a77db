public import Diagnostics

/// Why a document could not be read to its end as XML.
public struct XMLError: CodedError, Hashable {
    public let code: FindingCode
    public let place: Place
    public let message: String

    init(_ code: FindingCode, at position: XMLPosition, _ message: String) {
        self.code = code
        self.place = Place(position)
        self.message = message
    }
}
