import DaeDiagnostics
import DaeDownload
public import DaePipeline
import Synchronization

extension AssetServiceClient {
    /// The states of an asset as they change, the present one first; ends behind the one that settles it, or when it is
    /// removed.
    ///
    /// A connection that breaks or falls silent is made again and goes on behind the last state seen. Ending the loop, or
    /// cancelling its task, ends the transfer at once.
    public func states(of id: AssetID) -> AssetStates {
        AssetStates(client: self, id: id)
    }

    /// The asset once nothing works on it any more.
    public func settled(
        _ id: AssetID, observing observe: (AssetState) -> Void = { _ in }
    ) async throws(AssetServiceError) -> ServedAsset {
        for try await state in states(of: id) {
            observe(state)
        }
        return try await asset(id)
    }
}

/// The states of one asset of the service. Each iteration has a connection of its own.
public struct AssetStates: AsyncSequence, Sendable {
    public typealias Element = AssetState
    public typealias Failure = AssetServiceError

    let client: AssetServiceClient
    let id: AssetID

    public struct AsyncIterator: AsyncIteratorProtocol {
        var stream: AsyncStream<Result<AssetState, AssetServiceError>>.Iterator

        public mutating func next() async throws(AssetServiceError) -> AssetState? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(AssetServiceError) -> AssetState? {
            let result = await stream.next(isolation: actor)
            if result == nil, Task.isCancelled { throw .cancelled }
            return try result?.get()
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<AssetState, AssetServiceError>.self)
        let watch = AssetWatch(client: client, id: id, continuation: continuation)
        let work = Task { await watch.run() }
        continuation.onTermination = { _ in work.cancel() }
        return AsyncIterator(stream: stream.makeAsyncIterator())
    }
}

/// Keeps a stream of events going until the asset has settled.
private struct AssetWatch: Sendable {
    let client: AssetServiceClient
    let id: AssetID
    let continuation: AsyncStream<Result<AssetState, AssetServiceError>>.Continuation

    /// The service sends a sign of life every ten seconds.
    private static let silence = Duration.seconds(35)

    func run() async {
        let stream = WatchedStream(continuation)
        var failures = 0
        var left = client.patience
        while !Task.isCancelled {
            let seen = stream.events
            var exchange = HTTPExchange("\(client.server)/v1/assets/\(id.text)/events")
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
    private func listen(to stream: WatchedStream, _ exchange: HTTPExchange) async -> DownloadError? {
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

/// What came of the events of one asset. A class because the transfer's thread fills what the task reads.
private final class WatchedStream: Sendable {
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
    private let continuation: AsyncStream<Result<AssetState, AssetServiceError>>.Continuation

    init(_ continuation: AsyncStream<Result<AssetState, AssetServiceError>>.Continuation) {
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
        switch event.name {
        case "state":
            let state: AssetState
            do { state = try JSONValue(text: Array(event.data.utf8)).decoded(AssetState.self) } catch {
                return fail(.notUnderstood("a state: \(error)"), &contents)
            }
            continuation.yield(.success(state))
            if state.isSettled { contents.phase = .over }
            return !state.isSettled
        case "removed":
            contents.phase = .over
            return false
        default: return true  // strings: performed actions, and what later services add
        }
    }

    private func fail(_ error: AssetServiceError, _ contents: inout Contents) -> Bool {
        continuation.yield(.failure(error))
        contents.phase = .over
        return false
    }
}

// Source: HTML, 9.2.6, "Interpreting an event stream".

/// One server-sent event.
struct ServerSentEvent: Sendable, Equatable {
    var id: String?
    var name: String
    var data: String
}

/// Cuts a stream of bytes into events, wherever it is split.
struct EventParser: Sendable {
    /// Bytes of one line, and of one event's data.
    private static let limit = 4 << 20

    private var line: [UInt8] = []
    private var lastByte: UInt8 = 0
    private var id: String?
    private var name = ""
    private var data: [UInt8] = []

    /// What is too long to be an event of this service.
    struct TooLong: Error {}

    mutating func feed(
        _ bytes: some Sequence<UInt8>, _ found: (ServerSentEvent) -> Void
    ) throws(TooLong) {
        for byte in bytes {
            defer { lastByte = byte }
            switch byte {
            case 0x0a where lastByte == 0x0d: continue
            case 0x0a, 0x0d: end(found)
            default:
                line.append(byte)
                guard line.count <= Self.limit, data.count <= Self.limit else { throw TooLong() }
            }
        }
    }

    private mutating func end(_ found: (ServerSentEvent) -> Void) {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            if !data.isEmpty {
                let text = String(decoding: data.dropLast(), as: UTF8.self)
                found(ServerSentEvent(id: id, name: name.isEmpty ? "message" : name, data: text))
            }
            name = ""
            data.removeAll(keepingCapacity: true)
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": data += value + [0x0a]
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        default: break  // strings: comments, and what later services add
        }
    }
}
