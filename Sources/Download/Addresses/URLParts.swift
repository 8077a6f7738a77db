// libcurl's own parser, so that what is checked here is what libcurl will connect to.

import CLibCurl

/// One address taken apart. A class because it owns a C handle.
final class URLParts {
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
