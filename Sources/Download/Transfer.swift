/// One request and its answer: decides with the head what becomes of it, and takes the body. A class because it is called
/// back while the request runs.
final class Transfer: TransferReceiver {
    /// What a request that did not fail has led to.
    enum Outcome {
        case file(ReceivedBody)
        case redirect(to: [UInt8])
    }

    private enum Phase {
        case head
        case body(ReceivedBody)
        case redirected(to: [UInt8])
        case refused(DownloadFailure)
    }

    private let configuration: TransferConfiguration
    private let signal: StopSignal
    private let progress: @Sendable (DownloadProgress) -> Void
    private var head = ResponseHead()
    private var headerBytes = 0
    private var phase = Phase.head

    init(
        _ configuration: TransferConfiguration, stoppedBy signal: StopSignal,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        self.configuration = configuration
        self.signal = signal
        self.progress = progress
    }

    /// Blocks until the answer is whole, or is known to be none that is wanted.
    func run(_ request: Request, on loop: TransferLoop) throws(DownloadFailure) -> Outcome {
        let ending = try loop.run(request, within: configuration.limits, stoppedBy: signal, to: self)
        switch phase {
        case .refused(let failure): throw failure
        case .redirected(let location): return .redirect(to: location)
        case .body(let body) where ending.isWhole: return .file(body)
        case .head where ending.isWhole: throw .connectionFailed(reason: "the server gave no final answer")
        case .head: throw ending.failure(received: 0, expected: nil)
        case .body(let body): throw ending.failure(received: body.file.size, expected: body.expected)
        }
    }
}

// MARK: - What arrives

extension Transfer {
    /// Takes one header line; whether the transfer shall go on.
    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= configuration.limits.headerBytes else {
            return refuse(.headerTooLarge(limit: configuration.limits.headerBytes))
        }
        switch phase {
        case .head: return head.read(line) ? decide() : true
        case .body: return true  // trailers of a chunked body
        case .redirected, .refused: return false
        }
    }

    /// Takes the next bytes of the body; whether the transfer shall go on.
    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !signal.isStopped else { return refuse(.cancelled) }
        switch phase {
        case .head, .redirected, .refused: return false
        case .body(var body):
            do throws(DownloadFailure) {
                try body.append(bytes)
            } catch {
                return refuse(error)
            }
            phase = .body(body)
            progress(body.progress)
            return true
        }
    }

    /// The head is whole: whether the transfer shall go on.
    private func decide() -> Bool {
        switch head.kind {
        case .interim: return true
        case .redirect(let location):
            phase = .redirected(to: location)
            return false
        case .refusal: return refuse(.status(head.status, phrase: head.phrase))
        case .file:
            do throws(DownloadFailure) {
                let body = try ReceivedBody(head, configuration)
                phase = .body(body)
                progress(body.progress)
                return true
            } catch {
                return refuse(error)
            }
        }
    }

    private func refuse(_ failure: DownloadFailure) -> Bool {
        phase = .refused(failure)
        return false
    }
}
