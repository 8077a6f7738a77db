import CLibCurl

/// One request and its answer: decides with the head what becomes of it, and takes the body. A class because libcurl
/// calls it back by its address.
final class Transfer {
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

    private let address: WebAddress
    private let file: PartialFile
    private let configuration: TransferConfiguration
    private let signal: StopSignal
    private let progress: @Sendable (DownloadProgress) -> Void
    private var head = ResponseHead()
    private var headerBytes = 0
    private var phase = Phase.head

    init(
        _ address: WebAddress, to file: PartialFile, _ configuration: TransferConfiguration,
        stoppedBy signal: StopSignal,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        self.address = address
        self.file = file
        self.configuration = configuration
        self.signal = signal
        self.progress = progress
    }

    /// Blocks until the answer is whole, or is known to be none that is wanted.
    func run(on loop: TransferLoop) throws(DownloadFailure) -> Outcome {
        let request = try CurlRequest(address, configuration)
        try request.deliver(
            to: Unmanaged.passUnretained(self).toOpaque(),
            headers: { bytes, _, count, context in Transfer.deliver(bytes, count, context) { $0.readHeader($1) } },
            body: { bytes, _, count, context in Transfer.deliver(bytes, count, context) { $0.readBody($1) } })
        let status = try withExtendedLifetime((self, request)) { () throws(DownloadFailure) in
            try loop.run(request.handle)
        }
        switch phase {
        case .refused(let failure): throw failure
        case .redirected(let location): return .redirect(to: location)
        case .body(let body) where status == CURLE_OK: return .file(body)
        case .head where status == CURLE_OK: throw .connectionFailed(reason: "the server gave no final answer")
        case .head: throw failure(status, of: request, received: 0, expected: nil)
        case .body(let body): throw failure(status, of: request, received: body.file.size, expected: body.expected)
        }
    }

    private func failure(
        _ status: CURLcode, of request: CurlRequest, received: Int64, expected: Int64?
    ) -> DownloadFailure {
        DownloadFailure(
            status, of: request, at: address, limits: configuration.limits, received: received, expected: expected)
    }

    /// libcurl's callback: any count but the one given ends the transfer.
    private static func deliver(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        to read: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        guard read(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) else { return count == 0 ? 1 : 0 }
        return count
    }
}

// MARK: - What arrives

extension Transfer {
    /// Takes one header line; whether the transfer shall go on.
    private func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
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
    private func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
                let body = try ReceivedBody(head, from: address, to: file, configuration)
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
