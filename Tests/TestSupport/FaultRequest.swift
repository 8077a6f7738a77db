/// One request to a ``FaultServer`` and what became of it.
public struct FaultRequest: Sendable {
    public let method: String
    public let target: String
    /// Names in lower case, in the order sent.
    public let headers: [(name: String, value: String)]
    /// From 1, in the order in which they were accepted.
    public let connection: Int
    /// From 1; above it the connection was used again.
    public let requestOfConnection: Int
    /// Bytes of the body, or of its coded form, without the marks of chunks; counted as they are handed to the system.
    public internal(set) var bodyBytesSent = 0
    /// All bytes, head included.
    public internal(set) var bytesSent = 0

    public var isOnReusedConnection: Bool { requestOfConnection > 1 }
    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The first header of a name, given in lower case.
    public subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
