import CLibCurl

/// Runs requests one after the other on the calling thread, and keeps their connections. A class because it owns libcurl's
/// multi handle.
final class TransferLoop {
    /// Connections kept open: a download meets few hosts.
    private static let mostConnections = 4

    private let multi: UnsafeMutableRawPointer
    private let settings: NetworkSettings

    init(_ settings: NetworkSettings) throws(DownloadFailure) {
        guard let multi = dae_curl_multi_init() else { throw .noResources(reason: "no memory for a transfer") }
        self.multi = multi
        self.settings = settings
        dae_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Self.mostConnections)
    }

    deinit { dae_curl_multi_cleanup(multi) }

    /// Blocks until the request has ended in any way; a stop ends the wait at once.
    ///
    /// - Throws: What the policy refuses before anything is looked up, a stop, and what has nothing to do with the server.
    ///   All else is in the ending.
    func run(
        _ request: Request, within limits: DownloadLimits, stoppedBy signal: StopSignal,
        to receiver: any TransferReceiver
    ) throws(DownloadFailure) -> RequestEnding {
        try settings.policy.check(request.address)
        let transfer = try CurlRequest(request, settings, limits, receiver)
        let status = try withExtendedLifetime(transfer) { () throws(DownloadFailure) in
            try run(transfer.handle, stoppedBy: signal)
        }
        transfer.logEnd(status)
        return RequestEnding(status, of: transfer)
    }

    /// Blocks that long; a stop ends the wait at once.
    func wait(_ seconds: Double, stoppedBy signal: StopSignal) throws(DownloadFailure) {
        var left = Int(min(max(seconds, 0), 86_400) * 1000)
        try signal.withWaiter(multi) { () throws(DownloadFailure) in
            let start = ContinuousClock.now
            let whole = Duration.milliseconds(left)
            while left > 0 {
                guard !signal.isStopped else { throw .cancelled }
                dae_curl_multi_poll(multi, Int32(clamping: left))
                left = Int(((whole - (ContinuousClock.now - start)).inSeconds * 1000).rounded(.up))
            }
        }
    }

    private func run(
        _ handle: UnsafeMutableRawPointer, stoppedBy signal: StopSignal
    ) throws(DownloadFailure) -> CURLcode {
        guard dae_curl_multi_add_handle(multi, handle) == CURLM_OK else {
            throw .noResources(reason: "libcurl took no transfer")
        }
        defer { dae_curl_multi_remove_handle(multi, handle) }
        return try signal.withWaiter(multi) { () throws(DownloadFailure) in
            var running: Int32 = 1
            while true {
                guard !signal.isStopped else { throw .cancelled }
                guard dae_curl_multi_perform(multi, &running) == CURLM_OK else {
                    throw .noResources(reason: "libcurl gave up on the transfer")
                }
                if let result { return result }
                // libcurl shortens the wait to its own next time-out.
                guard dae_curl_multi_poll(multi, 60_000) == CURLM_OK else {
                    throw .noResources(reason: "the network cannot be waited for")
                }
            }
        }
    }

    /// How the one request has ended, if it has.
    private var result: CURLcode? {
        var left: Int32 = 0
        while let message = dae_curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return nil
    }
}
