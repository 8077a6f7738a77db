import DaeCore
import Synchronization

/// Fetches ranges of one file, as long as it is the file that was opened. A class as the way to it may change meanwhile.
final class RangeRequests: Sendable {
    /// By what the file that was opened is known again.
    struct Version: Sendable {
        let validators: Validators
        let size: Int64
    }

    /// Where redirects from the address have led.
    private let route: Mutex<Hops>
    private let version: Version
    private let retries: RetryPolicy
    private let configuration: TransferConfiguration
    private let signal: StopSignal
    private let report: DownloadReport

    init(
        hops: Hops, _ version: Version, retries: RetryPolicy, _ configuration: TransferConfiguration,
        _ signal: StopSignal, _ report: DownloadReport
    ) {
        route = Mutex(hops)
        (self.version, self.retries, self.configuration) = (version, retries, configuration)
        (self.signal, self.report) = (signal, report)
    }

    /// Blocks until the range is there; passing failures are tried again behind what has come.
    func fetch(
        _ range: Range<Int64>, _ receive: (UnsafeRawBufferPointer) throws(ByteSourceError) -> Void
    ) throws(ByteSourceError) {
        var progress = Progress(next: range.lowerBound)
        while progress.next < range.upperBound {
            let before = progress.next
            let end = range.upperBound
            do throws(DownloadFailure) {
                try get(progress.next..<end, &progress, receive)
                guard progress.next < end else { return }
                throw .truncated(received: progress.next, expected: end)
            } catch {
                if isExpired(error), progress.way == .asOpened {
                    progress.way = .anew
                    continue
                }
                progress.failures = progress.next > before ? 1 : progress.failures + 1
                do throws(DownloadFailure) { try pause(after: error, progress) } catch { throw self.error(error) }
            }
        }
    }

    /// How far one range has come.
    private struct Progress {
        enum Way { case asOpened, anew }

        var next: Int64
        /// Without a byte between them.
        var failures = 0
        /// What the last answer asked for, in seconds.
        var wait = 0.0
        var way = Way.asOpened
    }

    /// Addresses that redirects lead to may hold for minutes only.
    private func isExpired(_ failure: DownloadFailure) -> Bool {
        guard case .status(let status, _) = failure, [400, 401, 403, 404, 410].contains(status) else { return false }
        return route.withLock { $0.count > 0 }
    }

    private func pause(after failure: DownloadFailure, _ progress: Progress) throws(DownloadFailure) {
        let environment = configuration.environment
        let seconds = max(retries.pause(after: progress.failures, chance: environment.chance()), progress.wait)
        guard failure.isTriedAgain, progress.failures <= retries.attempts, seconds <= retries.longestPause else {
            throw failure
        }
        report.notice(.tryingAgain(seconds: seconds, reason: failure.observed))
        try configuration.pool.withLoop { loop throws(DownloadFailure) in
            try environment.pause(seconds, loop, signal)
        }
    }
}

// MARK: - One request

extension RangeRequests {
    private func get(
        _ range: Range<Int64>, _ progress: inout Progress,
        _ receive: (UnsafeRawBufferPointer) throws(ByteSourceError) -> Void
    ) throws(DownloadFailure) {
        var hops =
            switch progress.way {
            case .asOpened: route.withLock { $0 }
            case .anew: route.withLock { $0.fromFirst }
            }
        let fields =
            [Request.Field.range(from: range.lowerBound, through: range.upperBound - 1)]
            + (version.validators.strong.map { [.ifRange($0)] } ?? [])
        var state = progress
        state.wait = 0
        defer { progress = state }
        try configuration.pool.withLoop { loop throws(DownloadFailure) in
            try withoutActuallyEscaping(receive) { receive throws(DownloadFailure) in
                while true {
                    let receiver = Transfer.Receiver(
                        head: { head throws(DownloadFailure) in
                            let now = self.configuration.environment.now()
                            let asked = head.retryAfter.flatMap { RetryAfter.seconds($0, at: now) }
                            state.wait = Double(asked ?? 0)
                            try self.check(head, range)
                            if case .anew = state.way { self.route.withLock { $0 = hops } }
                            return .taken
                        },
                        body: { bytes throws(DownloadFailure) in
                            guard Int64(bytes.count) <= range.upperBound - state.next else {
                                throw .wrongRange(reason: "more bytes than were asked for")
                            }
                            do throws(ByteSourceError) { try receive(bytes) } catch {
                                throw .io(operation: error.operation, subject: error.subject, reason: error.reason)
                            }
                            state.next += Int64(bytes.count)
                        })
                    let transfer = Transfer(
                        headerLimit: configuration.limits.headerBytes, stoppedBy: signal, receiver: receiver)
                    let outcome = try transfer.run(
                        hops.request(.get, fields), within: configuration.limits, on: loop,
                        received: { (state.next - range.lowerBound, of: Int64(range.count)) })
                    guard case .redirect(let location) = outcome else { return }
                    try hops.follow(location, atMost: configuration.limits.redirects)
                }
            }
        }
    }

    private func check(_ head: ResponseHead, _ range: Range<Int64>) throws(DownloadFailure) {
        switch head.kind {
        case .part(.part(let first, let last, let total)):
            guard !head.validators.contradict(version.validators), total ?? version.size == version.size else {
                throw .changed
            }
            if let coding = head.contentCoding { throw .wrongRange(reason: "a part in the coding \(coding)") }
            guard first == range.lowerBound, last < range.upperBound else {
                throw .wrongRange(reason: "other bytes than were asked for")
            }
        case .part: throw .wrongRange(reason: "a part without saying which")
        case .file where isSameVersion(head): throw .wrongRange(reason: "the whole file where a part was asked for")
        // Who has ranges and sends the whole says that its version is another one.
        case .file, .notSatisfiable: throw .changed
        case .interim, .redirect, .notModified, .refusal: throw .status(head.status, phrase: head.phrase)
        }
    }

    /// Whether an answer with the whole file says that nothing changed but the server's mind about ranges.
    private func isSameVersion(_ head: ResponseHead) -> Bool {
        guard let strong = version.validators.strong, head.validators.strong == strong else { return false }
        return head.bodyLength ?? version.size == version.size
    }
}

// MARK: - Errors

extension RangeRequests {
    private func error(_ failure: DownloadFailure) -> ByteSourceError {
        let address = route.withLock { $0.first.display }
        return ByteSourceError(
            operation: "read", subject: address, reason: "\(failure.observed); \(failure.expected)",
            cause: failure.remote.map { .remote($0) } ?? .failed)
    }
}

extension DownloadFailure {
    /// What a reader of bytes is told; `nil` for what is not the server's doing.
    fileprivate var remote: RemoteFailure? {
        switch self {
        case .changed: .changed
        case .status, .page, .notInCache, .noFile: .refused
        case .truncated, .wrongRange, .checksumMismatch: .wrongBytes
        case .connectTimedOut, .stalled: .tooSlow
        case .hostNotFound: .hostNotFound
        case .connectionFailed, .connectionBroken: .noConnection
        case .tls: .noEncryption
        case .blocked: .forbidden
        case .tooManyRedirects: .redirectedTooOften
        case .cancelled: .cancelled
        case .invalidURL, .tooLarge, .headerTooLarge, .io, .noResources, .noLibrary: nil
        }
    }
}
