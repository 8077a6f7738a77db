/// A header that the user adds to every request at the address given. Its value is taken for a secret: no text shows it.
public struct RequestHeader: Sendable {
    public let name: String
    let value: String

    /// - Throws: ``RequestHeaderError`` for a name that is no token, for a value with control characters, and for headers
    ///   that say how the transfer itself works (`Host`, `Range`, `If-…`, `Accept-Encoding`, `Connection`, `Content-…`,
    ///   `Proxy-…`, `Transfer-Encoding` and their like), which are ours.
    public init(_ name: String, _ value: String) throws(RequestHeaderError) {
        guard !name.isEmpty, name.utf8.allSatisfy(HeaderText.isToken) else { throw RequestHeaderError(.name) }
        guard !Self.isOurs(name.lowercased()) else { throw RequestHeaderError(.ours(name)) }
        guard HeaderText.isValue(value) else { throw RequestHeaderError(.value(name)) }
        self.name = name
        self.value = HeaderText.trimmed(value)
    }

    /// Takes a line `Name: value`.
    public init(line: String) throws(RequestHeaderError) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw RequestHeaderError(.name) }
        try self.init(String(line[..<colon]), String(line[line.utf8.index(after: colon)...]))
    }

    private static func isOurs(_ name: String) -> Bool {
        if ["if-", "content-", "proxy-"].contains(where: { name.hasPrefix($0) }) { return true }
        return [
            "host", "range", "accept-encoding", "connection", "transfer-encoding", "te", "trailer", "upgrade", "expect",
            "keep-alive", "http2-settings",
        ].contains(name)
    }
}

extension RequestHeader: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(name): \(HeaderText.mask)" }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
