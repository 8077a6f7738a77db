import ByteSource

/// Fetches ranges of one file, as long as it is the file that was opened.
struct RangeRequests: Sendable {
    private let hops: Hops
    private let validators: Validators
    private let size: Int64
    private let retries: RetryPolicy
    private let configuration: TransferConfiguration
    private let signal: StopSignal
    private let report: DownloadReport

    init(
        hops: Hops, validators: Validators, size: Int64, retries: RetryPolicy, _ configuration: TransferConfiguration,
        _ signal: StopSignal, _ report: DownloadReport
    ) {
        (self.hops, self.validators, self.size, self.retries) = (hops, validators, size, retries)
        (self.configuration, self.signal, self.report) = (configuration, signal, report)
    }

    /// Blocks until the range is there; passing failures are tried again behind what has come.
    var fetch: RemoteByteSource.Fetch {
        { range, receive throws(ByteSourceError) in
            var (next, failures) = (range.lowerBound, 0)
            while next < range.upperBound {
                let before = next
                do throws(DownloadFailure) {
                    try get(next..<range.upperBound) { bytes throws(ByteSourceError) in
                        try receive(bytes)
                        next += Int64(bytes.count)
                    }
                    guard next < range.upperBound else { return }
                    throw .truncated(received: next, expected: range.upperBound)
                } catch {
                    failures = next > before ? 1 : failures + 1
                    guard error.isTriedAgain, failures <= retries.attempts else { throw self.error(error) }
                    let environment = configuration.environment
                    let seconds = retries.pause(after: failures, chance: environment.chance())
                    report.notice(.tryingAgain(seconds: seconds, reason: error.observed))
                    try? configuration.pool.withLoop { loop throws(DownloadFailure) in
                        try environment.pause(seconds, loop, signal)
                    }
                }
            }
        }
    }

    private func get(
        _ range: Range<Int64>, _ receive: (UnsafeRawBufferPointer) throws(ByteSourceError) -> Void
    ) throws(DownloadFailure) {
        var left = Int64(range.count)
        try configuration.pool.withLoop { loop throws(DownloadFailure) in
            try withoutActuallyEscaping(receive) { receive throws(DownloadFailure) in
                let transfer = Transfer(
                    headerLimit: configuration.limits.headerBytes, stoppedBy: signal,
                    receiver: Transfer.Receiver(
                        head: { head throws(DownloadFailure) in
                            try check(head, range)
                            return .taken
                        },
                        body: { bytes throws(DownloadFailure) in
                            left -= Int64(bytes.count)
                            guard left >= 0 else { throw .wrongRange(reason: "more bytes than were asked for") }
                            do throws(ByteSourceError) { try receive(bytes) } catch {
                                throw .io(operation: error.operation, subject: error.subject, reason: error.reason)
                            }
                        }))
                let fields =
                    [Request.Field.range(from: range.lowerBound, through: range.upperBound - 1)]
                    + (validators.strong.map { [.ifRange($0)] } ?? [])
                let outcome = try transfer.run(hops.request(.get, fields), within: configuration.limits, on: loop)
                if case .redirect = outcome { throw .wrongRange(reason: "a redirect for a part of the file") }
            }
        }
    }

    private func check(_ head: ResponseHead, _ range: Range<Int64>) throws(DownloadFailure) {
        switch head.kind {
        case .part(.part(range.lowerBound, let last, let total))
        where last < range.upperBound && (total ?? size) == size:
            guard !head.validators.contradict(validators), head.contentCoding == nil else { throw .changed }
        // Who has ranges and sends the whole says that its version is another one.
        case .file, .notSatisfiable: throw .changed
        case .part: throw .wrongRange(reason: "other bytes than were asked for")
        case .interim, .redirect, .notModified, .refusal: throw .status(head.status, phrase: head.phrase)
        }
    }

    private func error(_ failure: DownloadFailure) -> ByteSourceError {
        ByteSourceError(
            operation: "read", subject: hops.address.display, reason: "\(failure.observed); \(failure.expected)")
    }
}
