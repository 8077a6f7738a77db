import CLibCurl
import DaeCore

/// What the requests of one downloader have in common.
///
/// Headers, token, and user names from a netrc file are sent to the origin (scheme, host, port) of the address that a
/// download was asked for. A redirect to another origin drops them for the rest of that download.
public struct RequestOptions: Sendable {
    /// Where user names and passwords are looked up by the host's name. What the address itself says goes first.
    package enum Netrc: Sendable {
        case ignored
        /// `.netrc` in the home folder.
        case standard
        case file(String)
    }

    /// What servers are told; control characters are left out.
    public var userAgent = "daedalus"
    /// Are sent with each request, to the origin of its address alone.
    public var headers: [RequestHeader] = []
    /// Goes before user name and password. A header `Authorization` goes before both.
    public var bearerToken: BearerToken?
    package var netrc = Netrc.ignored
    /// Certificates to trust instead of the system's, as a PEM file.
    public var caFile: String?
    /// Gets a line at a time, on the transfer's own thread: request, headers, connection, status, bytes and time. Values
    /// of headers that are secret or were given by the user are masked.
    package var log: (@Sendable (String) -> Void)?

    /// What tests change about the network.
    var faults = FaultInjection()

    /// The defaults of each property.
    public init() {}
}

/// What a test can make happen that no server can.
struct FaultInjection: Sendable {
    /// Answers of the resolver, asked before every request: `host:port:address[,address]`.
    var resolved: (@Sendable () -> [String])?
}

/// A header that the user adds to every request at the address given. Its value is taken for a secret: no text shows it.
public struct RequestHeader: Sendable, Hashable {
    package let name: String
    package let value: String

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
    package init(line: String) throws(RequestHeaderError) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw RequestHeaderError(.name) }
        try self.init(String(line[..<colon]), String(line[line.utf8.index(after: colon)...]))
    }

    /// A header of the protocol that a client of this package speaks: it may be one of those that a user has no say in.
    package init(ofProtocol name: String, _ value: String) {
        self.name = name
        self.value = value
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

/// A token that says who asks, as `Authorization: Bearer …`. No text shows it.
public struct BearerToken: Sendable {
    let text: String

    /// - Throws: ``RequestHeaderError`` where it is empty or holds anything but visible ASCII.
    public init(_ text: String) throws(RequestHeaderError) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw RequestHeaderError(.token)
        }
        self.text = text
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    public var description: String { HeaderText.mask }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What may stand in a header. Source: RFC 9110, 5.5 and 5.6.2.
enum HeaderText {
    /// What stands for a secret.
    static let mask = "***"

    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Whether it stays on its line.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
    }

    static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// UTF-8 where the bytes are that, else Latin-1, the former default of HTTP.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// An address that could not be parsed, without anything that could be a user name or password: all up to its last
    /// `@` but the scheme.
    static func addressWithoutUser(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        let host = text[text.index(after: at)...]
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"), colon < at else {
            return String(host)
        }
        return text[..<colon] + "://" + host
    }
}

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

/// What the connections of one pool have in common: requests with other settings never come to use them.
struct NetworkSettings: Sendable {
    let policy: NetworkPolicy
    let options: RequestOptions
}

// Only what libcurl says of headers is used: its other remarks tell user names.

/// Tells what goes over the wire, a line at a time, without secrets.
struct RequestLog {
    private let write: @Sendable (String) -> Void
    private let masked: Set<String>

    /// How a request ended.
    struct Ending {
        let status: Int
        let bytes: Int64
        let seconds: Double
        let peer: String?
        let newConnections: Int
        /// `nil` where the answer came to its own end.
        let problem: String?
    }

    /// `nil` where nobody listens.
    init?(_ options: RequestOptions) {
        guard let write = options.log else { return nil }
        self.write = write
        masked = Self.secret.union(options.headers.map { $0.name.lowercased() })
    }

    private static let secret: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
        "proxy-authentication-info",
    ]

    func begin(_ request: Request) {
        write("\(request.method.rawValue) \(request.address.display)")
    }

    func listen(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case CURLINFO_HEADER_OUT: lines(of: bytes, after: "> ")
        case CURLINFO_HEADER_IN: lines(of: bytes, after: "< ")
        default: break
        }
    }

    func end(_ ending: Ending) {
        // Three digits behind the point.
        let thousandths = Int((ending.seconds * 1000).rounded())
        let fraction = String(1000 + thousandths % 1000).dropFirst()
        var text = "status \(ending.status), \(ending.bytes) bytes in \(thousandths / 1000).\(fraction) s"
        if let peer = ending.peer {
            text += " from \(peer) (\(ending.newConnections == 0 ? "connection used again" : "new connection"))"
        }
        write(text + (ending.problem.map { "; \($0)" } ?? ""))
    }

    private func lines(of bytes: UnsafeRawBufferPointer, after mark: String) {
        for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            write(mark + shown(HeaderText.decode(line)).printable())
        }
    }

    private func shown(_ line: String) -> String {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return line }
        let name = String(line[..<colon])
        switch name.lowercased() {
        case let name where masked.contains(name): return line[...colon] + " " + HeaderText.mask
        case "location", "content-location", "refresh", "link":
            return "\(name): "
                + HeaderText.addressWithoutUser(HeaderText.trimmed(String(line[colon...].dropFirst())))
        default: return line
        }
    }
}
