import Daedalus
import Hummingbird
import NIOCore
import Synchronization

/// Lets through who may, as often as they may.
struct AccessMiddleware: RouterMiddleware {
    private let gate: AccessGate
    private let limiter: SharedRateLimiter
    private let open: OpenRequests
    private let requestLimit: Int
    private let crossOrigin: CrossOrigin

    init(_ tools: ServiceTools) {
        open = tools.open
        requestLimit = tools.settings.clients.requests
        crossOrigin = CrossOrigin(tools.settings)
        gate = AccessGate(tools)
        limiter = SharedRateLimiter(RateLimiter(rate: tools.settings.rate, burst: tools.settings.burst))
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard !AccessGate.isOpen(request) else { return try await next(request, context) }
        do { context.client = try await gate.client(request) } catch {
            // Guessing is counted, too.
            try limit(.stranger, context)
            throw error
        }
        try limit(context.client, context)
        try gate.check(context.client, request)
        let name = context.client.name(address: context.address)
        guard let place = open.take(name, limit: requestLimit) else {
            throw Problem.tooManyOpen("requests", requestLimit)
        }
        // Who waits for that before it sends the body sends none in vain.
        context.channel.triggerUserOutboundEvent(ConnectionBounds.Welcome(), promise: nil)
        var response = try await next(request, context)
        switch context.client {
        case .stranger: crossOrigin.share(&response)
        case .anyone, .token: break
        }
        let body = response.body
        // It is open until its answer is taken, or nobody is there to take it.
        response.body = body.holding(place)
        return response
    }

    private func limit(_ client: Client, _ context: ServiceContext) throws(Problem) {
        guard let wait = limiter.wait(client.name(address: context.address)) else { return }
        throw Problem(
            .tooManyRequests, nil, "This client sends more requests than it may.",
            retryAfter: max(1, Int(wait.rounded(.up))))
    }
}

/// One limiter for all connections. A class because it owns the lock.
private final class SharedRateLimiter: Sendable {
    private let limiter: Mutex<RateLimiter>
    private let start = ContinuousClock.now

    init(_ limiter: RateLimiter) { self.limiter = Mutex(limiter) }

    func wait(_ client: String) -> Double? {
        let now = (ContinuousClock.now - start) / .seconds(1)
        return limiter.withLock { $0.wait(client, now: now) }
    }
}

extension ResponseBody {
    /// The same, which keeps something until it was written or dropped.
    fileprivate func holding(_ place: OpenRequests.Place) -> ResponseBody {
        let body = self
        let write: @Sendable (inout any ResponseBodyWriter) async throws -> Void = { writer in
            try await body.write(writer)
            withExtendedLifetime(place) {}
        }
        return body.contentLength.map { ResponseBody(contentLength: $0, write) } ?? ResponseBody(write)
    }
}

extension Problem {
    /// The client's other requests have to end first. Its connection goes: it would hold others up.
    static func tooManyOpen(_ what: String, _ limit: Int) -> Problem {
        var problem = Problem(
            .tooManyRequests, nil, "This client has \(limit) \(what) open already.", retryAfter: 1)
        problem.headers[.connection] = "close"
        return problem
    }
}
