import CLibCurl
import DaeCore

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
            let found = parts.scheme.map { ($0).printable(limit: 40) } ?? "no scheme"
            throw .invalidURL(reason: "only http and https are understood, not \(found)")
        }
        guard let host = parts.host, let port = parts.port.flatMap({ UInt16($0) }) else {
            throw .invalidURL(reason: "the address names no host")
        }
        self.scheme = scheme
        self.port = port
        self.host = host.printable()
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

// libcurl's own parser, so that what is checked here is what libcurl will connect to.

/// One address taken apart. A class because it owns a C handle.
private final class URLParts {
    private let handle: OpaquePointer

    init() throws(DownloadFailure) {
        try Curl.start()
        guard let handle = dae_curl_url() else { throw .noResources(reason: "no memory for an address") }
        self.handle = handle
    }

    deinit { dae_curl_url_cleanup(handle) }

    /// Takes a whole address, or a reference relative to the one already there; spaces and bytes beyond ASCII are encoded.
    func set(_ text: [UInt8]) throws(DownloadFailure) {
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        let status = (text.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            dae_curl_url_set(handle, CURLUPART_URL, $0.baseAddress, flags)
        }
        guard status == CURLUE_OK else {
            throw .invalidURL(reason: "the address is malformed (\(String(cString: dae_curl_url_strerror(status))))")
        }
    }

    func set(user: String, password: String?) {
        dae_curl_url_set(handle, CURLUPART_USER, user, 0)
        dae_curl_url_set(handle, CURLUPART_PASSWORD, password, 0)
    }

    func removeFragment() { dae_curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }

    var scheme: String? { text(CURLUPART_SCHEME) }
    var host: String? { text(CURLUPART_HOST) }
    /// As a name server is asked for it: letters beyond ASCII in Punycode; `nil` where that cannot be.
    var asciiHost: String? { UTF8Locale.use { text(CURLUPART_HOST, flags: UInt32(CURLU_PUNYCODE)) } }
    /// The scheme's own where none is written.
    var port: String? { text(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)) }
    var path: String? { text(CURLUPART_PATH) }
    var user: String? { text(CURLUPART_USER) }
    var password: String? { text(CURLUPART_PASSWORD) }
    /// With the host in ASCII.
    var url: String? { UTF8Locale.use { text(CURLUPART_URL, flags: UInt32(CURLU_PUNYCODE)) } }

    func urlWithoutUser() -> String? {
        guard let copy = dae_curl_url_dup(handle) else { return nil }
        defer { dae_curl_url_cleanup(copy) }
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] { dae_curl_url_set(copy, part, nil, 0) }
        return Self.text(CURLUPART_URL, of: copy)
    }

    private func text(_ part: CURLUPart, flags: UInt32 = 0) -> String? { Self.text(part, flags: flags, of: handle) }

    private static func text(_ part: CURLUPart, flags: UInt32 = 0, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard dae_curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { dae_curl_free(text) }
        return String(cString: text)
    }
}

// libidn2 takes host names in the encoding of the locale, which is plain ASCII in a program that never set one.

/// A locale for one call on this thread; the process keeps its own.
enum UTF8Locale {
    /// Unchecked because a locale is never changed once it was made.
    private struct Handle: @unchecked Sendable {
        let locale: locale_t?
    }

    private static let handle = Handle(locale: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

    static func use<Value>(_ body: () -> Value) -> Value {
        guard let locale = handle.locale else { return body() }
        let former = uselocale(locale)
        defer { uselocale(former) }
        return body()
    }
}
