// The transfers of this module for others of the package: one request, one answer, no cache, no redirects.

/// One request of a client that knows its server.
package struct HTTPExchange: Sendable {
    package enum Method: Sendable {
        case get
        case head
        case delete
        case put(RequestBody)
        /// - Parameter type: The body's media type.
        case post(RequestBody, type: String)
    }

    package var url: String
    package var method: Method
    /// Media types that are taken.
    package var accept: String?
    /// The first byte that is wanted, where those before it are there; only of the version that `tag` names.
    package var resume: (from: Int64, tag: String)?
    package var lastEventID: String?
    /// Of this request alone.
    package var headers: [RequestHeader] = []
    /// How long an answer may stay away or stand still.
    package var patience: Duration = .seconds(60)
    /// Bytes a second, below which it stands still.
    package var slowestRate = 1
    /// Whether a redirect is handed over as any other answer; it is an error otherwise.
    package var takesRedirects = false

    package init(_ url: String, _ method: Method = .get) {
        self.url = url
        self.method = method
    }

    fileprivate func request() throws(DownloadFailure) -> Request {
        var fields: [Request.Field] = []
        if let accept { fields.append(.accept(accept)) }
        if let resume { fields += [.range(from: resume.from, through: nil), .ifRange(resume.tag)] }
        if let lastEventID { fields.append(.lastEventID(lastEventID)) }
        fields += headers.map { .given($0) }
        let address = try WebAddress(url)
        switch method {
        case .get: return Request(address: address, method: .get, fields: fields, credentials: .sent)
        case .head: return Request(address: address, method: .head, fields: fields, credentials: .sent)
        case .delete: return Request(address: address, method: .delete, fields: fields, credentials: .sent)
        case .put(let body):
            return Request(address: address, method: .put, fields: fields, credentials: .sent, body: body)
        case .post(let body, let type):
            fields.append(.contentType(type))
            return Request(address: address, method: .post, fields: fields, credentials: .sent, body: body)
        }
    }
}

/// The head of an answer.
package struct HTTPAnswerHead: Sendable {
    package let status: Int
    /// Fit to print.
    package let phrase: String
    package let contentType: String?
    package let contentLength: Int64?
    /// The first byte of a part of a file; `nil` where the answer is no part.
    package let partStart: Int64?
    /// Bytes of the whole, of which a part was asked for; `nil` where the answer does not say.
    package let wholeSize: Int64?
    package let etag: String?
    /// When the file last changed, in seconds since 1970.
    package let lastModified: Int64?
    /// What the server's clock showed, in seconds since 1970.
    package let date: Int64?
    /// Where the bucket is that an S3 store was asked for.
    package let bucketRegion: String?
    /// Seconds until asking again may help.
    package let retryAfter: Int64?

    init(_ head: ResponseHead, now: Int64) {
        status = head.status
        phrase = head.phrase
        contentType = head.contentType
        contentLength = head.bodyLength
        partStart = if case .part(let first, _, _) = head.contentRange, head.status == 206 { first } else { nil }
        wholeSize = head.contentRange?.total
        etag = head.validators.etag
        lastModified = head.validators.lastModified.flatMap(HTTPDate.seconds)
        date = head.date.flatMap(HTTPDate.seconds)
        bucketRegion = head.bucketRegion
        retryAfter = head.retryAfter.flatMap { RetryAfter.seconds($0, at: now) }
    }
}

/// Asks servers, by itself those that the user of this machine chose. Copies share their open connections.
package struct HTTPClient: Sendable {
    private let pool: LoopPool
    private let environment = FetchEnvironment.live

    /// - Parameters:
    ///   - options: Headers and token go to whatever is asked.
    ///   - policy: Where requests may go.
    package init(_ options: RequestOptions, policy: NetworkPolicy = .open) {
        pool = LoopPool(policy: policy, options: options)
    }

    /// What takes an answer, on the transfer's own thread.
    package struct Receiver: Sendable {
        /// Told first, and once.
        package var head: @Sendable (HTTPAnswerHead) -> Void
        /// The next bytes of the body; `false` ends the transfer.
        package var body: @Sendable (UnsafeRawBufferPointer) -> Bool

        package init(
            head: @escaping @Sendable (HTTPAnswerHead) -> Void,
            body: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
        ) {
            self.head = head
            self.body = body
        }
    }

    /// Sends a request and hands its answer over, whatever its status. Cancelling the task ends the transfer at once.
    ///
    /// - Throws: ``DownloadError`` where there was no whole answer; ``DownloadError/isCancelled`` also where the receiver
    ///   ended it.
    package func run(_ exchange: HTTPExchange, to receiver: Receiver) async throws(DownloadError) {
        let (pool, environment) = (pool, environment)
        try await TransferThread.run(exchange.url) { signal throws(DownloadError) in
            do throws(DownloadFailure) {
                let request = try exchange.request()
                var limits = DownloadLimits()
                limits.stallTimeout = exchange.patience
                limits.connectTimeout = min(limits.connectTimeout, exchange.patience)
                limits.slowestRate = exchange.slowestRate
                try pool.withLoop { loop throws(DownloadFailure) in
                    let transfer = Transfer(
                        headerLimit: limits.headerBytes, takesRedirects: exchange.takesRedirects, stoppedBy: signal,
                        receiver: .init(
                            head: { head throws(DownloadFailure) in
                                receiver.head(HTTPAnswerHead(head, now: environment.now()))
                                return .taken
                            },
                            body: { bytes throws(DownloadFailure) in
                                guard receiver.body(bytes) else { throw .cancelled }
                            }))
                    switch try transfer.run(request, within: limits, on: loop) {
                    case .taken, .ignored: return
                    case .redirect: throw .connectionFailed(reason: "the server sends elsewhere")
                    }
                }
            } catch {
                throw DownloadError(error, url: HeaderText.addressWithoutUser(exchange.url))
            }
        }
    }
}

extension HTTPClient {
    /// Refuses what no request would be made to, by what is written alone: nothing is looked up.
    ///
    /// - Throws: ``DownloadError`` for what is no http or https address, or leads where the policy forbids it.
    package static func check(_ text: String, by policy: NetworkPolicy) throws(DownloadError) {
        do throws(DownloadFailure) {
            try Curl.start()
            try policy.check(try WebAddress(text))
        } catch { throw DownloadError(error, url: HeaderText.addressWithoutUser(text)) }
    }

    /// A server's address in one form, without a slash at its end.
    ///
    /// - Throws: ``DownloadError`` for what is no http or https address, or has a query.
    package static func base(_ text: String) throws(DownloadError) -> String {
        do throws(DownloadFailure) {
            try Curl.start()
            let address = try WebAddress(text)
            guard !address.url.contains("?") else { throw .invalidURL(reason: "the address of a server has no query") }
            var url = address.url
            while url.hasSuffix("/") { url.removeLast() }
            return url
        } catch { throw DownloadError(error, url: HeaderText.addressWithoutUser(text)) }
    }
}
