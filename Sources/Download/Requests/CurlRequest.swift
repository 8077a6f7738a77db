import CLibCurl

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
        try set(CURLOPT_USERAGENT, PrintableText.clean(options.userAgent))
        // No coding is asked for, and one that is sent all the same is undone.
        try set(CURLOPT_ACCEPT_ENCODING, "identity")
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .head: try set(CURLOPT_NOBODY, 1)
        case .post:
            try set(CURLOPT_POST, 1)
            try check(dae_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body?.size ?? 0)))
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
