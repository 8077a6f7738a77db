import DaeCore
import Daedalus
import Hummingbird
import Logging

/// What is kept of tokens and signing keys.
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
    /// Another number whenever a token or a key was made, revoked or retired, a token expired, or a session was ended.
    func tokenChanges() async throws -> Int64
    /// Changes what a token in use may have; whether there was one of this name.
    func limit(_ name: String, _ changing: @escaping @Sendable (inout TokenQuota) -> Void) async throws -> Bool
    /// What a token has and did on a day, by its id.
    func usage(of id: String, on day: Int64) async throws -> TokenUsage
    /// Adds to what a token did on a day.
    func add(requests: Int64, of id: String, on day: Int64) async throws

    /// Begins a session, and ends the oldest ones of its token that are more than may be.
    func add(_ session: StoredSession, limit: Int) async throws
    /// One that goes on.
    func session(_ digest: SHA256Digest) async throws -> StoredSession?
    func end(_ session: SHA256Digest) async throws

    func add(_ key: SigningKey) async throws
    /// The newest first.
    func keys() async throws -> [SigningKey]
    func key(_ id: String) async throws -> SigningKey?
    /// Whether there was an active key of this id; its secret is forgotten.
    func retire(_ id: String, at: Int64) async throws -> Bool
}

/// A bearer token: `daed_`, a name by which it is found, and a secret of 256 random bits.
struct AccessToken: Sendable {
    /// Not secret.
    let id: String
    let text: String

    /// A new one.
    static func random() -> AccessToken {
        let id = RandomText.hexadecimal(words: 1)
        return AccessToken(id: id, text: "daed_\(id)_\(RandomText.hexadecimal(words: 4))")
    }

    private init(id: String, text: String) {
        self.id = id
        self.text = text
    }

    /// `nil` for what never was a token.
    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "daed", parts[1].utf8.count == 16, parts[2].utf8.count == 64 else {
            return nil
        }
        self.init(id: String(parts[1]), text: text)
    }

    /// All that is kept of it: the secret has 256 bits, so a plain hash hides it.
    var digest: SHA256Digest { SHA256Digest(hashing: Array(text.utf8)) }
}

/// A token as it is kept.
struct StoredToken: Sendable {
    let id: String
    let name: String
    let scope: Scope
    let digest: SHA256Digest
    /// Milliseconds since 1970, UTC.
    let created: Int64
    /// From when on it lets nobody in, as ``created``; `nil` for never.
    var expires: Int64?
    var quota = TokenQuota()

    func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
}

enum RandomText {
    /// Random bits of the system, 16 digits a word.
    static func hexadecimal(words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}

/// Tokens, for those who may see and revoke them. They are made on the machine alone, by `daed token add`.
struct TokenRoutes: Sendable {
    let tools: ServiceTools

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("tokens") { _, context in
            try context.demandAdmin()
            return Response.json(["tokens": .array(try await tools.access.tokens().map(\.json))])
        }
        group.delete("tokens/:name") { _, context in
            try context.demandAdmin()
            let name = try context.parameters.require("name")
            guard try await tools.access.revoke(name, at: AssetOperations.Instant.systemTime()) else {
                throw Problem(.notFound, nil, "There is no token '\(name.prefix(64))'.")
            }
            tools.note("revokeToken", ("token", name), context)
            return Response(status: .noContent)
        }
    }
}

extension ServiceContext {
    func demandAdmin() throws(Problem) {
        guard client.allows(.admin) else { throw Problem.missing(.admin) }
    }
}

extension StoredToken {
    /// All but the token, which nobody knows.
    var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "scope": .string(scope.rawValue), "created": .integer(created),
            "expires": JSONValue(expires),
            "quota": [
                "assets": JSONValue(quota.assets), "bytes": JSONValue(quota.bytes),
                "requests": JSONValue(quota.requests),
            ],
        ]
    }
}
