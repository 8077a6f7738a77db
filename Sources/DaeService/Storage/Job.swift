/// A claim on the work for one asset, which ends unless it is renewed.
struct Job: Sendable {
    let id: Int64
    let owner: String
    let asset: AssetRecord
    /// How often it was claimed, this time included.
    let claims: Int
    /// Of these, the ones up to when its bytes were handed over to the next node, which began anew.
    var handed = 0
    /// The trace of the request that made it, where it had one.
    var trace: String?

    enum History: Sendable {
        case new
        /// Somebody began it and is gone.
        case interrupted
        /// It was begun so often that it is given up.
        case hopeless
    }

    /// Times that a job is begun: a store or a worker that fails for good would have it begun for ever.
    static let mostClaims = 100

    var history: History {
        let begun = claims - handed
        return begun > Self.mostClaims ? .hopeless : begun > 1 ? .interrupted : .new
    }
}
