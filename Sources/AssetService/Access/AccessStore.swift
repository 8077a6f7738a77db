import Daedalus

/// What is kept of tokens, signing keys and request keys.
protocol AccessStore: Sendable {
    /// - Returns: Whether it was kept: two tokens in use have no common name.
    func add(_ token: StoredToken) async throws -> Bool
    func tokens() async throws -> [StoredToken]
    /// One that is in use, by its id.
    func token(_ id: String) async throws -> StoredToken?
    /// Whether there was a token of this name in use.
    func revoke(_ name: String, at: Int64) async throws -> Bool
    /// Whether a token was ever made: to revoke the last one opens nothing.
    func hasTokens() async throws -> Bool

    func add(_ key: SigningKey) async throws
    /// The newest first.
    func keys() async throws -> [SigningKey]
    func key(_ id: String) async throws -> SigningKey?
    /// Whether there was an active key of this id; its secret is forgotten.
    func retire(_ id: String, at: Int64) async throws -> Bool

    /// Begins a request that bears a key, unless it was begun before; one that its process did not end begins again, and
    /// keeps its name.
    func begin(_ request: KeyedRequest, now: Int64) async throws -> KeyedRequest.Standing
    /// It is still being worked on.
    func renew(_ request: KeyedRequest, now: Int64) async throws
    /// Keeps how it was answered.
    func finish(_ request: KeyedRequest, body: SHA256Digest, _ answer: KeyedRequest.Answer) async throws
    /// It was not answered, and may be sent again at once.
    func forget(_ request: KeyedRequest) async throws
}

/// Names what a request asks for: it is done once, however often the request is begun.
struct OnceID: Sendable, Hashable {
    let text: String

    static func random() -> OnceID { OnceID(text: AssetID.random().text) }
}

/// Why a request that was begun before is not answered as done.
enum OnceError: Error {
    /// It asks for something else than was done.
    case anotherRequest
    /// The asset was removed since.
    case removedSince
}

/// A request that its client may send again without it being done again.
struct KeyedRequest: Sendable {
    /// Whose key it is.
    let client: String
    let key: String
    /// Method, path and query.
    let line: String

    enum Standing: Sendable {
        case begun(OnceID), running
        case answered(line: String, body: SHA256Digest, Answer)
    }

    struct Answer: Sendable {
        let status: Int
        let location: String?
        let type: String?
        let body: String
    }

    /// Milliseconds for which an answer is kept.
    static let lifetime: Int64 = 24 * 3_600_000
    /// Milliseconds after which a request whose process is gone may be sent again.
    static let lease: Int64 = 30_000
    /// Requests that are kept at most; the oldest go first.
    static let limit = 10_000
}
