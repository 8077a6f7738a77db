/// A header that cannot be sent. Tells the name at most, never the value.
public struct RequestHeaderError: Error, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case name
        case value(String)
        case ours(String)
        case token
    }

    private let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .name: "the header has no proper name; expected a line such as X-Name: value"
        case .value(let name): "the value of the header \(name) contains control characters; expected text on one line"
        case .ours(let name): "the header \(name) is set by the download itself; expected another"
        case .token: "the bearer token is empty or contains spaces, control characters or letters beyond ASCII"
        }
    }
}
