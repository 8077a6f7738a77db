import DaeCore
import DaeDownload

/// Signs and sends requests to one bucket, and sends them again where that may help.
struct S3Connection: Sendable {
    let location: S3Location
    let settings: S3Settings
    let endpoint: S3Endpoint
    let environment: S3Environment
    let credentials: S3CredentialKeeper
    private let http: HTTPClient

    /// Of an answer that is kept in memory: a thousand keys of a list take less than a quarter.
    private static let mostBytes = 8 << 20
    /// However much each of them brings: a store that sends a byte an answer is given up.
    private static let mostRequests = 200
    /// Bytes a second, below which a transfer stands still.
    private static let slowestRate = 1000

    init(_ location: S3Location, _ settings: S3Settings, _ environment: S3Environment) throws(S3Error) {
        self.location = location
        self.settings = settings
        self.environment = environment
        endpoint = try S3Endpoint(location, settings)
        credentials = S3CredentialKeeper(settings.credentials, environment)
        var options = RequestOptions()
        options.caFile = settings.caFile
        http = HTTPClient(options)
    }

    /// How far a request has come over all its attempts.
    private struct Progress {
        var requests = 0
        /// In a row.
        var failures = 0
        /// Of the body that a sink takes.
        var received: Int64 = 0
        /// Of the version that is being received.
        var head: HTTPAnswerHead?
        var refused: S3Credentials?
    }

    /// What the store answers in the end: a success, or one of the statuses that are awaited.
    ///
    /// - Parameter sink: Takes the body of a success; each byte once, whatever is asked again.
    func send(_ request: S3Request, to sink: S3Sink? = nil) async throws(S3Error) -> S3Answer {
        var progress = Progress()
        while true {
            progress.requests += 1
            let signer = try await signer(insteadOf: progress.refused)
            let exchange = try exchange(request, signer, progress)
            let fault: S3Fault
            do throws(S3Fault) { return try await attempt(exchange, request, signer, &progress, sink) } catch {
                fault = error
            }
            guard !Task.isCancelled else { throw .cancelled }
            if fault.isOfCredentials, progress.refused == nil {
                progress.refused = signer.credentials
                if let other = try? await credentials.current(insteadOf: signer.credentials),
                    other != signer.credentials
                {
                    continue
                }
            }
            progress.failures += 1
            let asked = Double(fault.retryAfter ?? 0)
            let retries = settings.retries
            guard fault.isPassing, progress.failures <= retries.attempts, asked <= retries.longestPause,
                progress.requests < Self.mostRequests
            else { throw fault.error }
            let pause = max(asked, retries.pause(after: progress.failures, chance: environment.chance()))
            do { try await environment.pause(pause) } catch { throw .cancelled }
        }
    }

    func signer(insteadOf refused: S3Credentials? = nil) async throws(S3Error) -> SignatureV4 {
        let credentials = try await credentials.current(insteadOf: refused)
        return SignatureV4(credentials: credentials, region: settings.region, time: environment.now())
    }

    private func attempt(
        _ exchange: HTTPExchange, _ request: S3Request, _ signer: SignatureV4, _ progress: inout Progress,
        _ sink: S3Sink?
    ) async throws(S3Fault) -> S3Answer {
        var exchange = exchange
        exchange.slowestRate = sink?.slowestRate ?? Self.slowestRate
        let (range, isFirst) = (rest(of: request, progress), progress.head == nil)
        let rest = sink.map { sink in S3Sink(head: { if isFirst { sink.head($0) } }, body: sink.body) }
        let arrival = S3Arrival(limit: Self.mostBytes, sink: rest) { Self.isAwaited($0, range) }
        var failure: DownloadError?
        do { try await http.run(exchange, to: arrival.receiver) } catch { failure = error }
        if let failure = arrival.failure { throw S3Fault(failure) }
        progress.received += arrival.taken
        if arrival.taken > 0 { progress.failures = 0 }
        // Who refuses an upload closes the connection while it is still being sent.
        guard let answer = arrival.answer else { throw S3Fault(failure, hasAnswered: false) }
        guard (200...299).contains(answer.head.status) else {
            if !isFirst, answer.head.status == 412 {
                throw S3Fault(.unexpected("the object changed while it was read"))
            }
            throw S3Fault(
                answer, to: request, bucket: location.bucket, region: settings.region, signed: signer.time)
        }
        guard Self.isAwaited(answer.head, range) else { throw S3Fault(.unexpected("other bytes than were asked for")) }
        if isFirst { progress.head = answer.head }
        guard let failure else { return answer }
        guard !failure.isCancelled || Task.isCancelled else {
            throw S3Fault(.unexpected("more than \(Self.mostBytes) bytes"))
        }
        throw S3Fault(failure, hasAnswered: true)
    }

    /// What of the range that was asked for has not come; `nil` for all of the object.
    private func rest(of request: S3Request, _ progress: Progress) -> Range<Int64>? {
        guard progress.received > 0 else { return request.range }
        let whole = request.range ?? 0..<Int64.max
        return min(whole.lowerBound + progress.received, whole.upperBound)..<whole.upperBound
    }

    private static func isAwaited(_ head: HTTPAnswerHead, _ range: Range<Int64>?) -> Bool {
        (200...299).contains(head.status) && (range == nil || head.partStart == range?.lowerBound)
    }

    private func exchange(
        _ request: S3Request, _ signer: SignatureV4, _ progress: Progress
    ) throws(S3Error) -> HTTPExchange {
        var message = SignatureV4.Message(
            method: request.method.rawValue, host: endpoint.host, path: endpoint.path(request.key),
            query: request.query, headers: request.headers)
        if let range = rest(of: request, progress) {
            let last = range.upperBound == .max ? "" : "\(range.upperBound - 1)"
            message.headers.append(("Range", "bytes=\(range.lowerBound)-\(last)"))
        }
        if let tag = progress.head?.etag { message.headers.append(("If-Match", tag)) }
        let headers = signer.headers(message, payload: request.sha256.hex)
        var exchange = try request.exchange(endpoint.url(message.path, SignatureV4.query(request.query)))
        exchange.headers = headers.map { RequestHeader(ofProtocol: $0.name, $0.value) }
        exchange.patience = settings.patience
        exchange.takesRedirects = true
        return exchange
    }
}
