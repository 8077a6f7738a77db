/// What the requests of one downloader have in common.
///
/// Headers, token, and user names from a netrc file are sent to the origin (scheme, host, port) of the address that a
/// download was asked for. A redirect to another origin drops them for the rest of that download.
public struct RequestOptions: Sendable {
    /// Where user names and passwords are looked up by the host's name. What the address itself says goes first.
    public enum Netrc: Sendable {
        case ignored
        /// `.netrc` in the home folder.
        case standard
        case file(String)
    }

    /// What servers are told; control characters are left out.
    public var userAgent = "daedalus"
    public var headers: [RequestHeader] = []
    /// Goes before user name and password. A header `Authorization` goes before both.
    public var bearerToken: BearerToken?
    public var netrc = Netrc.ignored
    /// Certificates to trust instead of the system's, as a PEM file.
    public var caFile: String?
    /// Gets a line at a time, on the transfer's own thread: request, headers, connection, status, bytes and time. Values
    /// of headers that are secret or were given by the user are masked.
    public var log: (@Sendable (String) -> Void)?

    /// What tests change about the network.
    var faults = FaultInjection()

    public init() {}
}

/// What a test can make happen that no server can.
struct FaultInjection: Sendable {
    /// Answers of the resolver, asked before every request: `host:port:address[,address]`.
    var resolved: (@Sendable () -> [String])?
}
