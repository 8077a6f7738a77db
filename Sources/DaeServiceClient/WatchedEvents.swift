import DaeDiagnostics
import DaeDownload
import Synchronization

/// The elements that are read from a stream of events. Each iteration has a connection of its own.
struct WatchedEvents<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = AssetServiceError

    /// What one event came to.
    enum Reading: Sendable {
        case element(Element)
        /// No more is wanted behind it.
        case last(Element)
        /// It ends the sequence.
        case over
        /// It is of no interest.
        case other
    }

    let client: AssetServiceClient
    /// On the server.
    let path: String
    let read: @Sendable (ServerSentEvent) throws(AssetServiceError) -> Reading

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var stream: AsyncStream<Result<Element, AssetServiceError>>.Iterator

        mutating func next() async throws(AssetServiceError) -> Element? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(AssetServiceError) -> Element? {
            let result = await stream.next(isolation: actor)
            if result == nil, Task.isCancelled { throw .cancelled }
            return try result?.get()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<Element, AssetServiceError>.self)
        let watch = EventWatch(events: self, continuation: continuation)
        let work = Task { await watch.run() }
        continuation.onTermination = { _ in work.cancel() }
        return AsyncIterator(stream: stream.makeAsyncIterator())
    }
}

/// Keeps a stream of events going until the asset has settled.
private struct EventWatch<Element: Sendable>: Sendable {
    let events: WatchedEvents<Element>
    let continuation: AsyncStream<Result<Element, AssetServiceError>>.Continuation

    private var client: AssetServiceClient { events.client }

    /// The service sends a sign of life every ten seconds.
    private static var silence: Duration { .seconds(35) }

    func run() async {
        let stream = EventStream(read: events.read, continuation)
        var failures = 0
        var left = client.patience
        while !Task.isCancelled {
            let seen = stream.events
            var exchange = HTTPExchange(client.server + events.path)
            exchange.accept = "text/event-stream"
            exchange.lastEventID = stream.lastID
            // Long silence is found out by ``listen(to:_:)``.
            exchange.patience = .seconds(1_000_000)
            let broken = await listen(to: stream, exchange)
            if stream.isOver { return continuation.finish() }
            if let problem = stream.problem {
                guard let pause = problem.pause, pause <= left else { return end(.refused(problem)) }
                left -= max(1, pause)
                guard await sleep(.seconds(max(1, pause))) else { return }
                continue
            }
            failures = stream.events > seen ? 1 : failures + 1
            guard failures <= client.retries.attempts else {
                return end(broken.map { .unreachable($0) } ?? .notUnderstood("a stream without events"))
            }
            guard await sleep(.seconds(client.retries.pause(after: failures, chance: .random(in: 0..<1)))) else {
                return
            }
        }
        continuation.finish()
    }

    private func end(_ error: AssetServiceError) {
        continuation.yield(.failure(error))
        continuation.finish()
    }

    private func sleep(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            continuation.finish()
            return false
        }
    }

    /// Until the connection ends in any way, or nothing came for too long; gives what broke it.
    private func listen(to stream: EventStream<Element>, _ exchange: HTTPExchange) async -> DownloadError? {
        let http = client.http
        stream.begin()
        return await withTaskGroup(of: DownloadError?.self) { group in
            group.addTask {
                do throws(DownloadError) { try await http.run(exchange, to: stream.receiver) } catch { return error }
                return nil
            }
            group.addTask {
                while stream.silence < Self.silence {
                    do { try await Task.sleep(for: .seconds(1)) } catch { return nil }
                }
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}

/// What came of one stream. A class because the transfer's thread fills what the task reads.
private final class EventStream<Element: Sendable>: Sendable {
    private enum Phase {
        case listening
        case refused(HTTPAnswerHead, [UInt8])
        case over
    }

    private struct Contents {
        var phase = Phase.listening
        var parser = EventParser()
        var lastID: String?
        var events = 0
        var heard = ContinuousClock.now
    }

    private let contents = Mutex(Contents())
    private let read: @Sendable (ServerSentEvent) throws(AssetServiceError) -> WatchedEvents<Element>.Reading
    private let continuation: AsyncStream<Result<Element, AssetServiceError>>.Continuation

    init(
        read: @escaping @Sendable (ServerSentEvent) throws(AssetServiceError) -> WatchedEvents<Element>.Reading,
        _ continuation: AsyncStream<Result<Element, AssetServiceError>>.Continuation
    ) {
        self.read = read
        self.continuation = continuation
    }

    var events: Int { contents.withLock { $0.events } }
    var lastID: String? { contents.withLock { $0.lastID } }
    var silence: Duration { contents.withLock { ContinuousClock.now - $0.heard } }
    var isOver: Bool { contents.withLock { if case .over = $0.phase { true } else { false } } }

    var problem: ServiceProblem? {
        contents.withLock { contents in
            guard case .refused(let head, let body) = contents.phase else { return nil }
            return ServiceProblem(status: head.status, phrase: head.phrase, body: body, retryAfter: head.retryAfter)
        }
    }

    /// Another connection.
    func begin() {
        contents.withLock { contents in
            contents.phase = .listening
            contents.parser = EventParser()
            contents.heard = .now
        }
    }

    var receiver: HTTPClient.Receiver {
        .init(
            head: { head in
                self.contents.withLock { contents in
                    contents.heard = .now
                    if head.status != 200 { contents.phase = .refused(head, []) }
                }
            }, body: { self.take($0) })
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        contents.withLock { contents in
            contents.heard = .now
            switch contents.phase {
            case .over: return false
            case .refused(let head, let body):
                contents.phase = .refused(head, body + bytes.prefix(max(0, (64 << 10) - body.count)))
                return true
            case .listening: break
            }
            var found: [ServerSentEvent] = []
            do throws(EventParser.TooLong) { try contents.parser.feed(bytes) { found.append($0) } } catch {
                return fail(.notUnderstood("an event without an end"), &contents)
            }
            for event in found where !read(event, &contents) { return false }
            return true
        }
    }

    /// Whether more is wanted.
    private func read(_ event: ServerSentEvent, _ contents: inout Contents) -> Bool {
        contents.events += 1
        if let id = event.id { contents.lastID = id }
        do throws(AssetServiceError) {
            switch try read(event) {
            case .element(let element): continuation.yield(.success(element))
            case .last(let element):
                continuation.yield(.success(element))
                contents.phase = .over
            case .over: contents.phase = .over
            case .other: break
            }
        } catch { return fail(error, &contents) }
        if case .over = contents.phase { return false }
        return true
    }

    private func fail(_ error: AssetServiceError, _ contents: inout Contents) -> Bool {
        continuation.yield(.failure(error))
        contents.phase = .over
        return false
    }
}
