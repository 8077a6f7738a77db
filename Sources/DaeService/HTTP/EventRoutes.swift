import Daedalus
import Hummingbird
import ServiceLifecycle
import Synchronization

/// What happens, as it happens: server-sent events, of one asset or of all.
struct EventRoutes: Sendable {
    let tools: ServiceTools
    let assets: AssetRoutes

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("events") { request, context in try await stream(nil, to: request, context) }
        group.get("assets/:id/events") { request, context in
            try await stream(try await assets.asset(context), to: request, context)
        }
    }

    /// The last event that a client has seen, which comes back after a break.
    private static func last(_ request: Request) throws -> Int64? {
        guard let name = HeaderName("last-event-id"), let text = request.headers[name] else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw Problem(.badRequest, nil, "Last-Event-ID is no number that an event had.")
        }
        return number
    }

    private func stream(
        _ asset: AssetRecord?, to request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let limit = tools.settings.clients.streams
        let name = "events of " + context.client.name(address: context.address)
        guard let place = tools.open.take(name, limit: limit) else {
            throw Problem.tooManyOpen("streams of events", limit)
        }
        // Heard from here on: what is kept between the two is in the events that are read below.
        let bell = tools.bell.listen()
        let kept = try await tools.store.events(after: .max, of: nil, limit: 1)
        let seen = try Self.last(request)
        // A number that is still to come is of another database, as behind a restored backup.
        let known = seen.flatMap { $0 <= kept.newest && (asset == nil || $0 + 1 >= kept.first) ? $0 : nil }
        let at = known ?? kept.newest
        var beginning = known == nil ? seen.map { EventSource.gap(after: $0, next: kept.newest + 1) } ?? "" : ""
        if known == nil, let asset, let now = try await tools.store.asset(asset.id)?.seen(by: context.client) {
            beginning += EventSource.text(at, "state", try StateText.text(now.state), of: asset.id, isNamed: true)
        }
        let source = EventSource(tools: tools, asset: asset?.id, client: context.client, at: at)
        if beginning.isEmpty { beginning = ": \n\n" }
        let first = beginning
        let permit = StandingPermit(gate: AccessGate(tools), request: request)
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: first))
            var (source, permit) = (source, permit)
            // It rings once a second at least.
            listening: for try await _ in bell.cancelOnGracefulShutdown() {
                repeat {
                    guard try await permit.holds() else { break listening }
                    guard let text = try await source.next() else { break }
                    try await writer.write(ByteBuffer(string: text))
                } while !source.isOver
                if source.isOver { break }
                if let text = source.sign() { try await writer.write(ByteBuffer(string: text)) }
            }
            try await writer.finish(nil)
            withExtendedLifetime(place) {}
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"], body: body)
    }
}

/// What let an answer begin that has no end of its own. A token may be revoked meanwhile, or the first one be made.
private struct StandingPermit: Sendable {
    let gate: AccessGate
    let request: Request
    private var asked = ContinuousClock.now

    init(gate: AccessGate, request: Request) {
        self.gate = gate
        // Its body, too, would be held as long as the answer.
        self.request = Request(head: request.head, body: RequestBody(buffer: ByteBuffer()))
    }

    /// Asked of the database once a second at most.
    mutating func holds() async throws -> Bool {
        guard ContinuousClock.now - asked >= .seconds(1) else { return true }
        asked = .now
        return try await gate.stillAllows(request)
    }
}

/// Reads events behind a number, as text.
private struct EventSource: Sendable {
    private let tools: ServiceTools
    private let asset: AssetID?
    private let client: Client
    private var at: Int64
    private var phase = Phase.open
    private var written = AssetOperations.Instant.systemTime()

    private enum Phase {
        case open
        /// The only asset it is about was removed.
        case over
    }

    /// Milliseconds of silence after which a sign of life is sent: it finds out, too, who left.
    private static let silence: Int64 = 10_000

    init(tools: ServiceTools, asset: AssetID?, client: Client, at: Int64) {
        self.client = client
        self.tools = tools
        self.asset = asset
        self.at = at
    }

    var isOver: Bool {
        switch phase {
        case .open: false
        case .over: true
        }
    }

    /// The next events; `nil` when there are none now.
    mutating func next() async throws -> String? {
        let page = try await tools.store.events(after: at, of: asset, limit: 100)
        let events = page.events
        // What is not there any more, and of an asset's stream what never was its.
        let gap = at + 1 < page.first ? Self.gap(after: at, next: page.first) : ""
        at = max(at, page.first - 1, events.count < 100 ? page.newest : events.last?.number ?? at)
        guard !events.isEmpty || !gap.isEmpty else { return nil }
        written = AssetOperations.Instant.systemTime()
        if asset != nil, events.contains(where: { $0.kind == .removed }) { phase = .over }
        return gap
            + events.map {
                Self.text($0.number, $0.kind.rawValue, $0.data(for: client), of: $0.asset, isNamed: asset != nil)
            }.joined()
    }

    /// What keeps a silent connection alive.
    mutating func sign() -> String? {
        let now = AssetOperations.Instant.systemTime()
        guard now - written >= Self.silence else { return nil }
        written = now
        return ": \n\n"
    }

    /// Says that what happened between two events is not known here: whoever listens has to ask anew how things stand.
    static func gap(after seen: Int64, next: Int64) -> String {
        "id: \(next - 1)\nevent: gap\ndata: {\"after\":\(seen),\"next\":\(next)}\n\n"
    }

    /// - Parameter isNamed: Whether the stream is of one asset; else the data says which it is about.
    static func text(_ number: Int64, _ kind: String, _ data: String, of asset: AssetID, isNamed: Bool) -> String {
        let data = isNamed ? data : "{\"asset\":\"\(asset.text)\",\"data\":\(data)}"
        return "id: \(number)\nevent: \(kind)\ndata: \(data)\n\n"
    }
}

/// Wakes those who wait for something to have been kept; what it was they read for themselves. A class because all
/// share it.
final class Bell: Sendable {
    private struct Listeners {
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var begun = 0
    }

    private let listeners = Mutex(Listeners())

    func ring() {
        for listener in listeners.withLock({ Array($0.waiting.values) }) { listener.yield() }
    }

    /// Has an element when it rang since the last one was taken.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            listeners.begun += 1
            listeners.waiting[listeners.begun] = continuation
            return listeners.begun
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.waiting[number] = nil }
        }
        return stream
    }

    var count: Int { listeners.withLock { $0.waiting.count } }
}
