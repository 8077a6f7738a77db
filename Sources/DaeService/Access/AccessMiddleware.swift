import Daedalus
import Hummingbird
import NIOCore

/// Lets through who may, as often as they may.
struct AccessMiddleware: RouterMiddleware {
    private let gate: AccessGate
    private let clients: ClientLedger
    private let requestLimit: Int
    private let crossOrigin: CrossOrigin
    private let metrics: ServiceMetrics
    private let quotas: QuotaLedger
    private let access: AccessStore

    init(_ tools: ServiceTools) {
        (clients, metrics) = (tools.clients, tools.metrics)
        (quotas, access) = (tools.quotas, tools.access)
        requestLimit = tools.settings.clients.requests
        crossOrigin = CrossOrigin(tools.settings)
        gate = AccessGate(tools)
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard !AccessGate.isOpen(request) else { return try await next(request, context) }
        do { context.client = try await gate.client(request) } catch {
            // Guessing is counted, too.
            try limit(clients.key(.stranger, context.address))
            throw error
        }
        let key = clients.key(context.client, context.address)
        try limit(key)
        if AccessGate.isCounted(request) { try await chargeQuota(context.client) }
        try gate.check(context.client, request)
        guard let place = clients.acquire(\.requests, of: key, limit: requestLimit) else {
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

    private func chargeQuota(_ client: Client) async throws {
        do { try await quotas.chargeRequest(client, access) } catch let fault as QuotaFault {
            metrics.count(.rateLimited, ("limit", "quota"))
            throw fault
        }
    }

    private func limit(_ key: String) throws(Problem) {
        guard let wait = clients.wait(key) else { return }
        metrics.count(.rateLimited, ("limit", "rate"))
        throw Problem(
            .tooManyRequests, nil, "This client sends more requests than it may.",
            retryAfter: max(1, Int(wait.rounded(.up))))
    }
}

extension ResponseBody {
    /// The same, which keeps something until it was written or dropped.
    fileprivate func holding(_ place: ClientLedger.Place) -> ResponseBody {
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
        /// What was taken elsewhere and still flows out, evenly until then.
        var owed = 0.0
        var until = 0.0
    }

    private let rate: Double
    private let burst: Double
    private let limit: Int
    private var buckets: [String: Bucket] = [:]
    /// Requests since the last report; `nil` where nobody asks for one.
    private var taken: [String: Int32]?

    /// - Parameters:
    ///   - rate: Requests a second; 0 for any number.
    ///   - limit: Clients remembered at once; all others share one bucket.
    ///   - reports: Whether other nodes are told what was taken.
    init(rate: Int, burst: Int, limit: Int = 10_000, reports: Bool = false) {
        self.rate = Double(rate)
        self.burst = Double(burst)
        self.limit = limit
        taken = reports ? [:] : nil
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
        var bucket = bucket(name, now)
        defer { buckets[name] = bucket }
        let missing = 1 - bucket.tokens
        guard missing <= 0 else { return (missing + bucket.owed) / rate }
        bucket.tokens -= 1
        if name == client, taken?[name] != nil || taken?.count ?? limit < limit { taken?[name, default: 0] += 1 }
        return nil
    }

    /// As it is by now; full where there is none.
    private func bucket(_ name: String, _ now: Double) -> Bucket {
        guard let old = buckets[name] else { return Bucket(tokens: burst, at: now) }
        let owed = now < old.until ? old.owed * (old.until - now) / (old.until - old.at) : 0
        let tokens = old.tokens + (now - old.at) * rate - (old.owed - owed)
        return Bucket(tokens: min(burst, tokens), at: now, owed: owed, until: old.until)
    }

    private mutating func place(_ client: String, _ now: Double) -> String {
        if buckets[client] != nil || buckets.count < limit { return client }
        // A full bucket is like one that was never there.
        let kept = buckets.filter { bucket($0.key, now).tokens < burst }
        buckets = kept
        return buckets.count < limit ? client : ""
    }

    // MARK: - Other nodes

    /// Takes from a client's bucket what it took elsewhere within some seconds: as evenly as it was taken there, so that
    /// nobody is refused who keeps to the rate.
    mutating func charge(_ client: String, _ taken: Int32, over seconds: Double, now: Double) {
        // To make room is left to requests: here many come at once.
        guard rate > 0, taken > 0, buckets[client] != nil || buckets.count < limit else { return }
        var bucket = bucket(client, now)
        bucket.owed += Double(taken)
        bucket.until = max(bucket.until, now + seconds)
        buckets[client] = bucket
    }

    /// What was taken since the last report, by those who took the most.
    mutating func report(most: Int) -> [String: Int32] {
        let all = taken ?? [:]
        taken = [:]
        guard all.count > most else { return all }
        return Dictionary(
            uniqueKeysWithValues: all.sorted { $0.value > $1.value }.prefix(most).map { ($0.key, $0.value) })
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
