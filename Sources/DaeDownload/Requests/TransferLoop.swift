import CLibCurl
import DaeCore
import Synchronization

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

// The one place where libcurl's codes turn into ours.

/// How a request has ended.
struct RequestEnding {
    private let status: CURLcode
    private let request: CurlRequest

    init(_ status: CURLcode, of request: CurlRequest) {
        self.status = status
        self.request = request
    }

    /// Whether the answer has come to its own end.
    var isWhole: Bool { status == CURLE_OK }

    /// What went wrong.
    ///
    /// - Parameters:
    ///   - received: Bytes of the body that were written.
    ///   - expected: As announced; `nil` where nothing was.
    func failure(received: Int64, expected: Int64?) -> DownloadFailure {
        request.gate.refusal ?? DownloadFailure(status, of: request, received: received, expected: expected)
    }
}

extension DownloadFailure {
    fileprivate init(_ status: CURLcode, of request: CurlRequest, received: Int64, expected: Int64?) {
        let host = request.address.host
        self =
            switch status {
            case CURLE_URL_MALFORMAT: .invalidURL(reason: "the address is malformed")
            case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound(host)
            case CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound("of the proxy")
            case CURLE_COULDNT_CONNECT:
                .connectionFailed(
                    reason: "no connection to \(host): \(request.systemReason ?? request.reason(status))")
            case CURLE_OPERATION_TIMEDOUT:
                request.hasConnected
                    ? .stalled(seconds: request.limits.stallTimeout.inSeconds.rounded(.up), received: received)
                    : .connectTimedOut(seconds: request.limits.connectTimeout.inSeconds)
            case CURLE_PARTIAL_FILE: .truncated(received: received, expected: expected)
            case CURLE_GOT_NOTHING: .connectionBroken(reason: "the server closed the connection without an answer")
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
                .connectionFailed(reason: "the answer is not HTTP: \(request.reason(status))")
            case CURLE_OUT_OF_MEMORY: .noResources(reason: "no memory for the transfer")
            // A connection that broke in the midst of the handshake says nothing about trust.
            case CURLE_SSL_CONNECT_ERROR where request.systemCode == ECONNRESET:
                .connectionBroken(reason: "the connection broke: \(request.reason(status))")
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
                CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_SHUTDOWN_FAILED:
                .tls(reason: request.reason(status))
            default: .connectionBroken(reason: "the connection broke: \(request.reason(status))")
            }
    }
}

/// The loops of one downloader, and with them its open connections.
///
/// A connection that is used again is not checked again, so a pool has one policy and one set of options for life. A
/// class because copies of a downloader share it.
final class LoopPool: Sendable {
    /// Unchecked because a loop is either in the list, where none uses it, or with the one job that took it out.
    private struct Idle: @unchecked Sendable {
        let loop: TransferLoop
    }

    /// Loops kept for the next job; more of them end with their job.
    private static let mostIdle = 8

    let settings: NetworkSettings
    private let idle = Mutex<[Idle]>([])

    init(policy: NetworkPolicy, options: RequestOptions) {
        settings = NetworkSettings(policy: policy, options: options)
    }

    /// Lends a loop to one job on this thread, and keeps it with its connections for the next.
    func withLoop<Value>(
        _ body: (TransferLoop) throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        try Curl.start()
        let loop = if let kept = idle.withLock({ $0.popLast() }) { kept.loop } else { try TransferLoop(settings) }
        do throws(DownloadFailure) {
            let value = try body(loop)
            giveBack(Idle(loop: loop))
            return value
        } catch {
            // Where libcurl itself gave up, nothing of it is used again.
            if case .noResources = error { throw error }
            giveBack(Idle(loop: loop))
            throw error
        }
    }

    private func giveBack(_ loop: Idle) {
        idle.withLock { if $0.count < Self.mostIdle { $0.append(loop) } }
    }
}

/// Runs blocking work beside Swift's own pool of threads, which must never be blocked.
enum TransferThread {
    /// Runs blocking work on a thread of its own, which is gone when this returns. Cancelling the task stops the signal.
    static func run<Value: Sendable>(
        _ url: String, _ work: @escaping @Sendable (StopSignal) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let signal = StopSignal()
        let result = await withTaskCancellationHandler {
            await JoinedThread.run { Result { () throws(DownloadError) in try work(signal) } }
        } onCancel: {
            signal.stop()
        }
        guard let result else {
            let failure = DownloadFailure.noResources(reason: "the system gave no thread")
            throw DownloadError(failure, url: HeaderText.addressWithoutUser(url))
        }
        return try result.get()
    }
}

/// A wish to stop, from any thread to the one that transfers.
final class StopSignal: Sendable {
    private enum State {
        case idle
        case waiting(Waiter)
        case stopped
    }

    /// libcurl's multi handle. Unchecked: used from other threads for `curl_multi_wakeup` alone, which allows it, and
    /// under the lock, so never after ``withWaiter(_:_:)`` has ended.
    private struct Waiter: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private let state = Mutex(State.idle)

    var isStopped: Bool {
        state.withLock { state in
            switch state {
            case .stopped: true
            case .idle, .waiting: false
            }
        }
    }

    func stop() {
        state.withLock { state in
            if case .waiting(let waiter) = state { dae_curl_multi_wakeup(waiter.multi) }
            state = .stopped
        }
    }

    /// While `body` runs, ``stop()`` wakes what waits on `multi`.
    func withWaiter<Value>(
        _ multi: UnsafeMutableRawPointer, _ body: () throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        attach(Waiter(multi: multi))
        defer { detach() }
        return try body()
    }

    private func attach(_ waiter: Waiter) {
        state.withLock { state in
            switch state {
            case .idle, .waiting: state = .waiting(waiter)
            case .stopped: break
            }
        }
    }

    private func detach() {
        state.withLock { state in
            switch state {
            case .idle, .waiting: state = .idle
            case .stopped: break
            }
        }
    }
}
