import CLibCurl
import DaeCore

/// One request as libcurl sees it. A class because it owns the easy handle, and libcurl calls it back by its address.
final class CurlRequest {
    let handle: UnsafeMutableRawPointer
    let address: WebAddress
    let limits: DownloadLimits
    let log: RequestLog?
    var gate: ConnectionGate
    let receiver: any TransferReceiver
    let body: RequestBody?
    let errorText: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    init(
        _ request: Request, _ settings: NetworkSettings, _ limits: DownloadLimits, _ receiver: any TransferReceiver
    ) throws(DownloadFailure) {
        guard let handle = dae_curl_easy_init() else { throw .noResources(reason: "no memory for a transfer") }
        self.handle = handle
        self.limits = limits
        self.receiver = receiver
        body = request.body
        address = request.address
        gate = ConnectionGate(settings.policy)
        log = RequestLog(settings.options)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(dae_curl_set_error_buffer(handle, errorText))
        try setNetwork(settings.options)
        try setProxy(settings.policy)
        try setLimits()
        try setMessage(request, settings.options)
        try setCallbacks()
        log?.begin(request)
    }

    deinit {
        dae_curl_easy_cleanup(handle)
        errorText.deallocate()
        for list in lists { dae_curl_slist_free_all(list) }
    }

    private func setNetwork(_ options: RequestOptions) throws(DownloadFailure) {
        try set(CURLOPT_URL, address.url)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Redirects are followed by our own code, a request each, so that every address passes the same door.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = options.caFile { try set(CURLOPT_CAINFO, file) }
        if let entries = options.faults.resolved?() { try set(CURLOPT_RESOLVE, entries) }
        // Signals are the process's own business; the transfer's thread blocks SIGPIPE instead.
        try set(CURLOPT_NOSIGNAL, 1)
        // A stop does not wait for a look-up that is under way.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_BUFFERSIZE, 512 << 10)
    }

    private func setProxy(_ policy: NetworkPolicy) throws(DownloadFailure) {
        switch policy {
        case .open: return  // libcurl reads the environment
        case .closed(let rules):
            // Empty texts, unlike none, also keep the environment's variables out.
            try set(CURLOPT_PROXY, rules.proxy ?? "")
            try set(CURLOPT_NOPROXY, "")
        }
    }

    private func setLimits() throws(DownloadFailure) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(limits.connectTimeout.inSeconds * 1000, 1e9))))
        try set(CURLOPT_LOW_SPEED_LIMIT, max(1, min(limits.slowestRate, 1 << 30)))
        try set(CURLOPT_LOW_SPEED_TIME, max(1, Int(min(limits.stallTimeout.inSeconds.rounded(.up), 1e6))))
    }

    private func setMessage(_ request: Request, _ options: RequestOptions) throws(DownloadFailure) {
        try set(CURLOPT_USERAGENT, options.userAgent.printable())
        // No coding is asked for, and one that is sent all the same is undone.
        try set(CURLOPT_ACCEPT_ENCODING, "identity")
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .head: try set(CURLOPT_NOBODY, 1)
        case .post:
            try set(CURLOPT_POST, 1)
            try check(dae_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body?.size ?? 0)))
        case .put:
            try set(CURLOPT_UPLOAD, 1)
            try check(dae_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body?.size ?? 0)))
        case .delete: try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        let lines = try RequestLines(request, options).texts
        if !lines.isEmpty { try set(CURLOPT_HTTPHEADER, lines) }
        try setNetrc(request.credentials, options.netrc)
    }

    private func setNetrc(
        _ credentials: Request.Credentials, _ netrc: RequestOptions.Netrc
    ) throws(DownloadFailure) {
        switch (credentials, netrc) {
        case (.dropped, _), (.sent, .ignored): try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        case (.sent, .standard): try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
        case (.sent, .file(let path)):
            try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
            try set(CURLOPT_NETRC_FILE, path)
        }
    }

    private func set(_ option: CURLoption, _ value: Int) throws(DownloadFailure) {
        try check(dae_curl_set_number(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(DownloadFailure) {
        try check(dae_curl_set_text(handle, option, value))
    }

    private func set(_ option: CURLoption, _ values: [String]) throws(DownloadFailure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = dae_curl_slist_append(list, value) else {
                dae_curl_slist_free_all(list)
                throw .noResources(reason: "no memory for a transfer")
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(dae_curl_set_list(handle, option, list))
    }

    func check(_ status: CURLcode) throws(DownloadFailure) {
        guard status == CURLE_OK else {
            throw .noResources(reason: "libcurl refused a setting: \(Curl.text(of: status))")
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

// libcurl knows a request by its address alone: it owns the handle, so it is there whenever one of these is called.

extension CurlRequest {
    private func setCallbacks() throws(DownloadFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(
            dae_curl_set_header_receiver(
                handle, { bytes, _, count, context in CurlRequest.take(bytes, count, context) { $0.readHeader($1) } },
                context))
        try check(
            dae_curl_set_body_receiver(
                handle, { bytes, _, count, context in CurlRequest.take(bytes, count, context) { $0.readBody($1) } },
                context))
        try check(
            dae_curl_set_opener(
                handle, { context, _, address in CurlRequest.find(context)?.open(address) ?? CURL_SOCKET_BAD }, context)
        )
        if body != nil {
            try check(
                dae_curl_set_body_sender(
                    handle, { bytes, _, count, context in CurlRequest.give(bytes, count, context) },
                    { context, offset, origin in
                        guard origin == SEEK_SET, let body = CurlRequest.find(context)?.body else {
                            return CURL_SEEKFUNC_CANTSEEK
                        }
                        return body.go(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
                    }, context))
        }
        guard log != nil else { return }
        try check(
            dae_curl_set_listener(
                handle,
                { _, kind, bytes, count, context in
                    let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                    CurlRequest.find(context)?.log?.listen(kind, bytes)
                    return 0
                }, context))
    }

    private static func find(_ context: UnsafeMutableRawPointer?) -> CurlRequest? {
        context.map { Unmanaged<CurlRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Any count but the one given ends the transfer.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        with read: (any TransferReceiver, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let receiver = find(context)?.receiver else { return 0 }
        guard read(receiver, UnsafeRawBufferPointer(start: bytes, count: count)) else { return count == 0 ? 1 : 0 }
        return count
    }

    /// How many bytes were given, 0 at the end; or what ends the transfer.
    private static func give(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        let room = UnsafeMutableRawBufferPointer(start: bytes, count: count)
        return find(context)?.body?.read(into: room) ?? Int(CURL_READFUNC_ABORT)
    }

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return CURL_SOCKET_BAD }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = dae_curl_address(address, &bytes)
        guard gate.admits(Array(bytes.prefix(Int(count)))) else { return CURL_SOCKET_BAD }
        return dae_curl_open(address)
    }
}

extension CurlRequest {
    /// What libcurl says of its failure in the words of this one transfer; no address with a password is among them.
    func reason(_ status: CURLcode) -> String {
        let text = String(cString: errorText).printable()
        return text.isEmpty ? Curl.text(of: status) : text
    }

    /// The system's code for the last connection that could not be made or kept, if it had one.
    var systemCode: Int32? {
        guard let code = number(CURLINFO_OS_ERRNO), code > 0 else { return nil }
        return Int32(truncatingIfNeeded: code)
    }

    var systemReason: String? { systemCode.map { String(cString: strerror($0)) } }

    /// Whether the connection, encryption included, was made.
    var hasConnected: Bool { offset(CURLINFO_PRETRANSFER_TIME_T) > 0 }

    func logEnd(_ status: CURLcode) {
        guard let log else { return }
        let peer = text(CURLINFO_PRIMARY_IP).map { "\($0) port \(number(CURLINFO_PRIMARY_PORT) ?? 0)" }
        let ending = RequestLog.Ending(
            status: number(CURLINFO_RESPONSE_CODE) ?? 0, bytes: Int64(offset(CURLINFO_SIZE_DOWNLOAD_T)),
            seconds: Double(offset(CURLINFO_TOTAL_TIME_T)) / 1e6, peer: peer,
            newConnections: number(CURLINFO_NUM_CONNECTS) ?? 0, problem: problem(status))
        log.end(ending)
    }

    /// In the words of the log.
    private func problem(_ status: CURLcode) -> String? {
        switch status {
        case CURLE_OK: nil
        case CURLE_WRITE_ERROR: "the rest was not wanted"
        default: gate.refusal?.observed ?? reason(status)
        }
    }

    private func number(_ info: CURLINFO) -> Int? {
        var value = 0
        return dae_curl_get_number(handle, info, &value) == CURLE_OK ? value : nil
    }

    private func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return dae_curl_get_offset(handle, info, &value) == CURLE_OK ? value : 0
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard dae_curl_get_text(handle, info, &value) == CURLE_OK, let value, value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

// libcurl is loaded at the first address or download, not before: it and what it needs take milliseconds that most runs
// need not pay.

/// libcurl as a whole.
enum Curl {
    /// Why it cannot be used; `nil` where it can.
    private static let obstacle: String? = dae_curl_load().map { String(cString: $0) }

    /// Loads libcurl and sets it up once a process, from whatever thread comes first.
    static func start() throws(DownloadFailure) {
        if let obstacle { throw .noLibrary(reason: "libcurl could not be loaded: \(obstacle)") }
    }

    /// Whether ``start()`` is without error.
    static var isReady: Bool { obstacle == nil }

    static func text(of status: CURLcode) -> String { String(cString: dae_curl_easy_strerror(status)) }
}

/// Takes an answer as it arrives, on the transfer's own thread.
protocol TransferReceiver: AnyObject {
    /// Takes one header line with its line end, the empty one too; whether the transfer shall go on.
    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool
    /// Takes the next bytes of the body, freed of a content coding; whether the transfer shall go on.
    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// Decides at the moment of connecting, and keeps what it decided: libcurl only says that it could not connect.
struct ConnectionGate {
    private enum Record {
        case untouched
        case refused(DownloadFailure)
        case opened
    }

    private let policy: NetworkPolicy
    private var record = Record.untouched

    init(_ policy: NetworkPolicy) {
        self.policy = policy
    }

    /// Why there was no connection; `nil` where one was tried, since a name may lead to several addresses.
    var refusal: DownloadFailure? {
        switch record {
        case .refused(let failure): failure
        case .untouched, .opened: nil
        }
    }

    /// Whether a connection to an address (its bytes in network order) may be tried.
    mutating func admits(_ bytes: [UInt8]) -> Bool {
        do throws(DownloadFailure) {
            guard let address = IPAddress(bytes: bytes) else {
                throw .blocked(
                    reason: "the host leads to a socket that is none of the internet's",
                    expected: "expected an IPv4 or IPv6 address")
            }
            try policy.checkConnection(to: address)
            record = .opened
            return true
        } catch {
            switch record {
            case .untouched: record = .refused(error)
            case .refused, .opened: break
            }
            return false
        }
    }
}

/// The header lines that a request has beside libcurl's own, as libcurl takes them.
struct RequestLines {
    let texts: [String]

    init(_ request: Request, _ options: RequestOptions) throws(DownloadFailure) {
        var fields: [(name: String, value: String)] = []
        switch request.credentials {
        case .sent:
            fields = options.headers.map { ($0.name, $0.value) }
            if let token = options.bearerToken, !Self.names(in: fields).contains("authorization") {
                fields.append(("Authorization", "Bearer \(token.text)"))
            }
        case .dropped: break
        }
        let given = Self.names(in: fields)
        for field in request.fields where !given.contains(field.name.lowercased()) {
            // A validator may come out of a file that others can write to.
            guard HeaderText.isValue(field.value) else {
                throw .noResources(reason: "the request's \(field.name) contains control characters")
            }
            fields.append((field.name, field.value))
        }
        // Who answers before the body has come is heard all the same; to be asked first costs others a second.
        let expectation = request.body == nil ? [] : ["Expect:"]
        // libcurl takes a name without value for the wish to leave its own header out, unless a semicolon follows.
        texts = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + expectation
    }

    private static func names(in fields: [(name: String, value: String)]) -> Set<String> {
        Set(fields.map { $0.name.lowercased() })
    }
}
