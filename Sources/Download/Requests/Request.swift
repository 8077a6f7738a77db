/// One request to be made, as ``Hops`` or an ``HTTPExchange`` makes it.
struct Request: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case delete = "DELETE"
    }

    /// Whether what the user gave to show who asks goes along.
    enum Credentials: Sendable {
        case sent
        case dropped
    }

    /// A header of our own; none of the user's is among these.
    enum Field: Sendable {
        /// From the first byte, counted from 0, to the last one or to the end.
        case range(from: Int64, through: Int64?)
        case ifRange(String)
        case ifNoneMatch(String)
        case ifModifiedSince(String)
        case accept(String)
        case contentType(String)
        case lastEventID(String)

        var name: String {
            switch self {
            case .range: "Range"
            case .ifRange: "If-Range"
            case .ifNoneMatch: "If-None-Match"
            case .ifModifiedSince: "If-Modified-Since"
            case .accept: "Accept"
            case .contentType: "Content-Type"
            case .lastEventID: "Last-Event-ID"
            }
        }

        var value: String {
            switch self {
            case .range(let first, let last): "bytes=\(first)-\(last.map { "\($0)" } ?? "")"
            case .ifRange(let text), .ifNoneMatch(let text), .ifModifiedSince(let text), .accept(let text),
                .contentType(let text), .lastEventID(let text):
                text
            }
        }
    }

    let address: WebAddress
    let method: Method
    let fields: [Field]
    let credentials: Credentials
    /// Sent with ``Method/post``; `nil` for an empty one.
    var body: RequestBody?
}
