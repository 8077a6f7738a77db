/// An http or https address that libcurl takes.
struct WebAddress: Sendable, Hashable {
    /// As libcurl is given it: normalised, with user name and password, without fragment.
    let url: String
    /// Fit to be shown: without user name and password.
    let display: String
    /// Percent-encoded, with its leading slash.
    let path: String
    /// As written, fit to be shown.
    let host: String
    /// As it is compared: in ASCII, in lower case, without a dot at its end.
    let hostName: String
    /// The host, where it is an address and not a name.
    let literal: IPAddress?
    let scheme: Scheme
    let port: UInt16

    enum Scheme: String, Sendable {
        case http
        case https
    }

    private let origin: String
    private let user: String?
    private let password: String?

    init(_ text: String) throws(DownloadFailure) {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw .invalidURL(reason: "the address contains control characters")
        }
        let parts = try URLParts()
        try parts.set(Array(text.utf8))
        try self.init(parts)
    }

    /// The address that a `Location` leads to from here. User name and password go along within the same scheme, host
    /// and port, and nowhere else.
    func following(_ location: [UInt8]) throws(DownloadFailure) -> WebAddress {
        guard !location.contains(0) else { throw .invalidURL(reason: "redirected to no address") }
        let parts = try URLParts()
        try parts.set(Array(url.utf8))
        try parts.set(location)
        let target = try WebAddress(parts)
        guard target.hasSameOrigin(as: self), target.user == nil, let user else { return target }
        parts.set(user: user, password: password)
        return try WebAddress(parts)
    }

    private init(_ parts: URLParts) throws(DownloadFailure) {
        guard let scheme = parts.scheme.flatMap({ Scheme(rawValue: $0) }) else {
            let found = parts.scheme.map { PrintableText.clean($0, limit: 40) } ?? "no scheme"
            throw .invalidURL(reason: "only http and https are understood, not \(found)")
        }
        guard let host = parts.host, let port = parts.port.flatMap({ UInt16($0) }) else {
            throw .invalidURL(reason: "the address names no host")
        }
        self.scheme = scheme
        self.port = port
        self.host = PrintableText.clean(host)
        guard let name = parts.asciiHost?.lowercased() else {
            throw .invalidURL(reason: "the host \(self.host) cannot be written in ASCII")
        }
        var bare = Substring(name)
        while bare.last == "." { bare.removeLast() }
        hostName = String(bare)
        literal = IPAddress(host: hostName)
        origin = "\(scheme.rawValue)://\(name):\(port)"
        user = parts.user
        password = parts.password
        path = parts.path ?? "/"
        parts.removeFragment()
        guard let url = parts.url else { throw .invalidURL(reason: "the address is malformed") }
        self.url = url
        guard let display = parts.urlWithoutUser() else { throw .invalidURL(reason: "the address is malformed") }
        self.display = display
    }
}

extension WebAddress {
    /// Whether its name stands for loopback with every resolver. Source: RFC 6761, 6.3.
    var isLocalName: Bool { hostName == "localhost" || hostName.hasSuffix(".localhost") }

    /// Whether scheme, host and port are the same, so that what is secret here is known there.
    func hasSameOrigin(as other: WebAddress) -> Bool { origin == other.origin }
}
