import CLibCurl
import Glibc

/// One GET as libcurl sees it. A class because it owns the easy handle and the buffer of its error text.
final class CurlRequest {
    let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    init(_ address: WebAddress, _ configuration: TransferConfiguration) throws(DownloadFailure) {
        guard let handle = curl_easy_init() else { throw .noResources(reason: "no memory for a transfer") }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(dae_curl_set_error_buffer(handle, errorText))
        try setNetwork(address, configuration)
        try setLimits(configuration.limits)
    }

    deinit {
        curl_easy_cleanup(handle)
        errorText.deallocate()
    }

    /// Hands every header line and every piece of the body to `context`, which must outlive the request.
    func deliver(
        to context: UnsafeMutableRawPointer, headers: @escaping dae_curl_receiver, body: @escaping dae_curl_receiver
    ) throws(DownloadFailure) {
        try check(dae_curl_set_header_receiver(handle, headers, context))
        try check(dae_curl_set_body_receiver(handle, body, context))
    }

    private func setNetwork(
        _ address: WebAddress, _ configuration: TransferConfiguration
    ) throws(DownloadFailure) {
        try set(CURLOPT_URL, address.url)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Redirects are followed by our own code, a request each, so that every address passes the same door.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_USERAGENT, PrintableText.clean(configuration.userAgent))
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.caFile { try set(CURLOPT_CAINFO, file) }
        // Signals are the process's own business; the transfer's thread blocks SIGPIPE instead.
        try set(CURLOPT_NOSIGNAL, 1)
        // A stop does not wait for a look-up that is under way.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_BUFFERSIZE, 512 << 10)
    }

    private func setLimits(_ limits: DownloadLimits) throws(DownloadFailure) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(limits.connectTimeout.inSeconds * 1000, 1e9))))
        try set(CURLOPT_LOW_SPEED_LIMIT, max(1, min(limits.slowestRate, 1 << 30)))
        try set(CURLOPT_LOW_SPEED_TIME, max(1, Int(min(limits.stallTimeout.inSeconds.rounded(.up), 1e6))))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(DownloadFailure) {
        try check(dae_curl_set_number(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(DownloadFailure) {
        try check(dae_curl_set_text(handle, option, value))
    }

    private func check(_ status: CURLcode) throws(DownloadFailure) {
        guard status == CURLE_OK else {
            throw .noResources(reason: "libcurl refused a setting: \(Curl.text(of: status))")
        }
    }
}

extension CurlRequest {
    /// What libcurl says of its failure in the words of this one transfer; no address with a password is among them.
    func reason(_ status: CURLcode) -> String {
        let text = PrintableText.clean(String(cString: errorText))
        return text.isEmpty ? Curl.text(of: status) : text
    }

    /// The system's code for the last connection that could not be made or kept, if it had one.
    var systemCode: Int32? {
        var code = 0
        guard dae_curl_get_number(handle, CURLINFO_OS_ERRNO, &code) == CURLE_OK, code > 0 else { return nil }
        return Int32(truncatingIfNeeded: code)
    }

    var systemReason: String? { systemCode.map { String(cString: strerror($0)) } }

    /// Whether the connection, encryption included, was made.
    var hasConnected: Bool {
        var microseconds: curl_off_t = 0
        return dae_curl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
