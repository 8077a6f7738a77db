import Daedalus
import Hummingbird
import ServiceLifecycle

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
        let key = tools.clients.key(context.client, context.address)
        guard let place = tools.clients.acquire(\.streams, of: key, limit: limit) else {
            tools.metrics.count(.rateLimited, ("limit", "streams"))
            throw Problem.tooManyOpen("streams of events", limit)
        }
        // Heard from here on: what is kept between the two is in the events that are read below.
        let deliveries = tools.changes.deliveries(of: asset?.id)
        let kept = try await tools.store.events(after: .max, of: nil, limit: 1)
        let seen = try Self.last(request)
        // A number that is still to come is of another database, as behind a restored backup.
        let known = seen.flatMap { $0 <= kept.newest && (asset == nil || $0 + 1 >= kept.first) ? $0 : nil }
        let at = known ?? kept.newest
        var beginning = known == nil ? seen.map { EventText.gap(after: $0, next: kept.newest + 1) } ?? "" : ""
        if known == nil, let asset, let now = try await tools.store.asset(asset.id) {
            let state = try StateText.text(try tools.changes.newest(of: now).seen(by: context.client).state)
            beginning += EventText.text(at, .state, state, of: asset.id, isNamed: true)
        }
        let first = beginning
        let listener = EventListener(
            tools: tools, asset: asset?.id, client: context.client,
            permit: try await StandingPermit(AccessGate(tools), request), at: at)
        let body = ResponseBody { writer in
            var listener = listener
            if !first.isEmpty { try await writer.write(ByteBuffer(string: first)) }
            var delivery: ChangeNotifier.Delivery? = .init(events: [], after: kept.newest, newest: kept.newest)
            var next = deliveries.cancelOnGracefulShutdown().makeAsyncIterator()
            while let present = delivery, try await listener.take(present, &writer) { delivery = await next.next() }
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
    private let gate: AccessGate
    private let request: Request
    /// As of the last look at the tokens; `nil` before it.
    private var tokens: Int64?
    /// Milliseconds since 1970.
    private let deadline: Int64?

    init(_ gate: AccessGate, _ request: Request) async throws {
        self.gate = gate
        deadline = try await gate.deadline(request)
        // Its body, too, would be held as long as the answer.
        self.request = Request(head: request.head, body: RequestBody(buffer: ByteBuffer()))
    }

    /// - Parameter tokens: What ``ChangeNotifier/tokens`` is: the database is asked where it changed.
    mutating func holds(_ tokens: Int64) async throws -> Bool {
        if let deadline, AssetOperations.Instant.systemTime() >= deadline { return false }
        guard self.tokens != tokens else { return true }
        self.tokens = tokens
        return try await gate.stillAllows(request)
    }
}

/// Writes events to one client, each once.
private struct EventListener: Sendable {
    private let tools: ServiceTools
    private let asset: AssetID?
    private let client: Client
    private var permit: StandingPermit
    /// The last event that was written, or is not wanted.
    private var at: Int64
    private var isOver = false

    init(tools: ServiceTools, asset: AssetID?, client: Client, permit: StandingPermit, at: Int64) {
        (self.tools, self.asset, self.client, self.permit, self.at) = (tools, asset, client, permit, at)
    }

    /// Writes what is delivered, and before it what was not: what happened before the stream began, and what it was too slow
    /// for.
    ///
    /// - Returns: Whether more is wanted.
    mutating func take(
        _ delivery: ChangeNotifier.Delivery, _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        while at < delivery.after {
            guard try await permit.holds(tools.changes.tokens) else { return false }
            let page = try await tools.store.events(after: at, of: asset, limit: 100)
            // What is not there any more, and of an asset's stream what never was its.
            let gap = at + 1 < page.first ? EventText.gap(after: at, next: page.first) : ""
            at = max(at, page.first - 1)
            let text = gap + text(of: page.events)
            at = max(at, page.end)
            if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            if isOver { return false }
        }
        guard try await permit.holds(tools.changes.tokens) else { return false }
        // Progress that was told before the last event that was read is over.
        let text = text(of: delivery.events.filter { $0.number != nil || at <= delivery.newest })
        at = max(at, delivery.newest)
        // A line without a name is a sign of life.
        try await writer.write(ByteBuffer(string: text.isEmpty ? ": \n\n" : text))
        return !isOver
    }

    private mutating func text(of events: [ServiceEvent]) -> String {
        var text = ""
        for event in events where event.number ?? .max > at && !isOver {
            text += EventText.text(
                event.number, event.kind, event.data(for: client), of: event.asset, isNamed: asset != nil)
            // The only asset that it is about was removed.
            isOver = asset != nil && event.kind == .removed
        }
        return text
    }
}

/// Events as HTML has them, in "Server-sent events".
private enum EventText {
    /// Says that what happened between two events is not known here: whoever listens has to ask anew how things stand.
    static func gap(after seen: Int64, next: Int64) -> String {
        "id: \(next - 1)\nevent: gap\ndata: {\"after\":\(seen),\"next\":\(next)}\n\n"
    }

    /// - Parameters:
    ///   - number: `nil` for what is not kept: whoever comes back goes on behind the last that is.
    ///   - isNamed: Whether the stream is of one asset; else the data says which it is about.
    static func text(
        _ number: Int64?, _ kind: ServiceEvent.Kind, _ data: String, of asset: AssetID, isNamed: Bool
    ) -> String {
        let id = number.map { "id: \($0)\n" } ?? ""
        let data = isNamed ? data : "{\"asset\":\"\(asset.text)\",\"data\":\(data)}"
        return "\(id)event: \(kind.rawValue)\ndata: \(data)\n\n"
    }
}
