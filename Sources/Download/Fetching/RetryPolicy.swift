/// How often and how soon a request that failed for a passing reason is made again.
public struct RetryPolicy: Sendable, Hashable {
    /// Failures in a row that are borne; one that left more bytes to go on with begins a new row.
    public var attempts = 4
    /// Before the first new request, in seconds; doubled for each that follows.
    public var firstPause = 0.5
    /// Seconds; a server that asks for more is not asked again.
    public var longestPause = 60.0

    public init() {}

    /// No request is made again.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.attempts = 0
        return policy
    }()

    /// Seconds before the request after the `failure`th failure in a row (1…): half of it fixed, half by chance, so that
    /// many clients do not come back at once.
    ///
    /// - Parameter chance: 0..<1.
    package func pause(after failure: Int, chance: Double) -> Double {
        let doubled = firstPause * Double(UInt64(1) << UInt64(min(max(failure - 1, 0), 30)))
        let whole = min(doubled, longestPause)
        return whole / 2 + whole / 2 * chance
    }
}
