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
