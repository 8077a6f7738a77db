import CLibCurl

/// Runs requests one after the other on the calling thread. A class because it owns libcurl's multi handle.
final class TransferLoop {
    private let multi: UnsafeMutableRawPointer
    private let signal: StopSignal

    init(stoppedBy signal: StopSignal) throws(DownloadFailure) {
        guard let multi = curl_multi_init() else { throw .noResources(reason: "no memory for a transfer") }
        self.multi = multi
        self.signal = signal
    }

    deinit { curl_multi_cleanup(multi) }

    /// Blocks until the request has ended in any way; a stop ends the wait at once.
    func run(_ handle: UnsafeMutableRawPointer) throws(DownloadFailure) -> CURLcode {
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
            throw .noResources(reason: "libcurl took no transfer")
        }
        defer { curl_multi_remove_handle(multi, handle) }
        return try signal.withWaiter(multi) { () throws(DownloadFailure) in
            var running: Int32 = 1
            while true {
                guard !signal.isStopped else { throw .cancelled }
                guard curl_multi_perform(multi, &running) == CURLM_OK else {
                    throw .noResources(reason: "libcurl gave up on the transfer")
                }
                if let result { return result }
                // libcurl shortens the wait to its own next time-out.
                guard curl_multi_poll(multi, nil, 0, 60_000, nil) == CURLM_OK else {
                    throw .noResources(reason: "the network cannot be waited for")
                }
            }
        }
    }

    /// How the one request has ended, if it has.
    private var result: CURLcode? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return nil
    }
}
