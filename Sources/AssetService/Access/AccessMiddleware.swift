import Daedalus
import Hummingbird
import Synchronization

/// Lets through who may, as often as they may.
struct AccessMiddleware: RouterMiddleware {
    private let gate: AccessGate
    private let limiter: SharedRateLimiter

    init(_ tools: ServiceTools) {
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
        return try await next(request, context)
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
