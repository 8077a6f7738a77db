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
    private let metrics: ServiceMetrics
    private let quotas: QuotaLedger
    private let access: AccessStore

    init(_ tools: ServiceTools) {
        (open, metrics) = (tools.open, tools.metrics)
        (quotas, access) = (tools.quotas, tools.access)
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
        if AccessGate.isCounted(request) { try await takeQuota(context.client) }
        try gate.check(context.client, request)
        let name = context.client.name(address: context.address)
        guard let place = open.take(name, limit: requestLimit) else {
            metrics.count(.rateLimited, ("limit", "requests"))
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

    private func takeQuota(_ client: Client) async throws {
        do { try await quotas.take(client, access) } catch let fault as QuotaFault {
            metrics.count(.rateLimited, ("limit", "quota"))
            throw fault
        }
    }

    private func limit(_ client: Client, _ context: ServiceContext) throws(Problem) {
        guard let wait = limiter.wait(client.name(address: context.address)) else { return }
        metrics.count(.rateLimited, ("limit", "rate"))
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

/// How often each client may ask: a bucket of tokens for each, filled at a steady rate.
struct RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        /// Seconds at which so many were in it.
        var at: Double
    }

    private let rate: Double
    private let burst: Double
    private let limit: Int
    private var buckets: [String: Bucket] = [:]

    /// - Parameters:
    ///   - rate: Requests a second; 0 for any number.
    ///   - limit: Clients remembered at once; all others share one bucket.
    init(rate: Int, burst: Int, limit: Int = 10_000) {
        self.rate = Double(rate)
        self.burst = Double(burst)
        self.limit = limit
    }

    /// How many buckets are remembered.
    var count: Int { buckets.count }

    /// Takes one request.
    ///
    /// - Parameter now: Seconds of a clock that never goes back.
    /// - Returns: `nil` where it may go on, else after how many seconds it may.
    mutating func wait(_ client: String, now: Double) -> Double? {
        guard rate > 0 else { return nil }
        let name = place(client, now)
        var tokens = buckets[name].map { level($0, now) } ?? burst
        let missing = 1 - tokens
        if missing <= 0 { tokens -= 1 }
        buckets[name] = Bucket(tokens: tokens, at: now)
        return missing <= 0 ? nil : missing / rate
    }

    private func level(_ bucket: Bucket, _ now: Double) -> Double {
        min(burst, bucket.tokens + (now - bucket.at) * rate)
    }

    private mutating func place(_ client: String, _ now: Double) -> String {
        if buckets[client] != nil || buckets.count < limit { return client }
        // A full bucket is like one that was never there.
        let kept = buckets.filter { level($0.value, now) < burst }
        buckets = kept
        return buckets.count < limit ? client : ""
    }
}

/// How many requests and streams each client has open. A class because all connections share it.
final class OpenRequests: Sendable {
    private let open = Mutex<[String: Int]>([:])

    /// A place among those of one name, which is given back with the value.
    ///
    /// - Parameter limit: Places at most; 0 for any number.
    /// - Returns: `nil` where all are taken.
    func take(_ name: String, limit: Int) -> Place? {
        let isTaken = open.withLock { open in
            let count = open[name] ?? 0
            guard limit == 0 || count < limit else { return false }
            open[name] = count + 1
            return true
        }
        return isTaken ? Place(name: name, owner: self) : nil
    }

    private func give(_ name: String) {
        open.withLock { open in
            let count = (open[name] ?? 1) - 1
            open[name] = count > 0 ? count : nil
        }
    }

    /// A class so that whoever drops it last, in whatever way an answer ends, gives it back.
    final class Place: Sendable {
        private let name: String
        private let owner: OpenRequests

        fileprivate init(name: String, owner: OpenRequests) { (self.name, self.owner) = (name, owner) }

        deinit { owner.give(name) }
    }
}

/// Whose word on a request's origin is taken.
struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]
    /// Whether those are trusted that come by a socket of this machine, and have no address.
    private let trustsSocket: Bool

    /// Nobody's.
    static let none = TrustedProxies(blocks: [], trustsSocket: false)

    private init(blocks: [AddressBlock], trustsSocket: Bool) {
        (self.blocks, self.trustsSocket) = (blocks, trustsSocket)
    }

    /// - Parameter texts: Blocks of addresses, such as `10.0.0.0/8`, or `unix`.
    init(_ texts: [String]) throws(NetworkRuleError) {
        var blocks: [AddressBlock] = []
        for text in texts where text != "unix" { blocks.append(try AddressBlock(text)) }
        self.init(blocks: blocks, trustsSocket: texts.contains("unix"))
    }

    /// The address that a request came from.
    ///
    /// - Parameters:
    ///   - peer: Who sent it here; `nil` by a socket of this machine.
    ///   - forwarded: The values of its `X-Forwarded-For`: each proxy adds behind the others whom it has it from. The
    ///     last of them that is no trusted proxy is the client; what stands before it anybody may have written.
    func client(peer: String?, forwarded: [String]) -> String? {
        guard peer.map(trusts) ?? trustsSocket else { return peer }
        var last = peer
        for word in forwarded.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).reversed() {
            // What is no address says nothing, and hides what stands before it.
            guard let address = Self.address(word) else { return last }
            last = address
            guard trusts(address) else { return address }
        }
        return last
    }

    /// Whether a request came to the proxy by TLS.
    ///
    /// - Parameter forwarded: The value of its `X-Forwarded-Proto`.
    func isSecure(peer: String?, forwarded: String?) -> Bool {
        guard peer.map(trusts) ?? trustsSocket else { return false }
        // Each proxy writes its own, or adds it behind the others.
        return forwarded?.split(separator: ",").last?.filter { $0 != " " }.lowercased() == "https"
    }

    private func trusts(_ address: String) -> Bool { blocks.contains { $0.contains(address: address) } }

    /// Without white space, and without a port or the brackets of IPv6.
    private static func address(_ word: Substring) -> String? {
        var text = word.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            text = text[..<colon]
        }
        return AddressBlock.isAddress(String(text)) ? String(text) : nil
    }
}
