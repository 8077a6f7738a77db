import DaeCore
import Daedalus

/// What is kept of tokens and signing keys.
struct AccessStore: Sendable {
    private let database: any RowDatabase

    init(_ database: any RowDatabase) { self.database = database }

    // MARK: - Tokens

    /// - Returns: Whether it was kept: two tokens in use have no common name.
    func add(_ token: StoredToken) async throws -> Bool {
        try await database.write { session in
            // One that expired gives its name to the next.
            try session.execute(
                "UPDATE tokens SET revoked = expires WHERE name = $1 AND revoked IS NULL AND expires <= $2",
                [token.name, session.now()])
            let added = try session.execute(
                """
                INSERT INTO tokens (id, name, scope, digest, created, expires, assetLimit, byteLimit, requestLimit)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
                """,
                [
                    token.id, token.name, token.scope.rawValue, token.digest.hex, token.created, token.expires,
                    token.quota.assets, token.quota.bytes, token.quota.requests,
                ])
            return added == 1
        }
    }

    func tokens() async throws -> [StoredToken] {
        try await database.rows("SELECT * FROM tokens WHERE revoked IS NULL ORDER BY name", []).compactMap(Self.token)
    }

    /// One that is in use, by its id.
    func token(_ id: String) async throws -> StoredToken? {
        try await database.row("SELECT * FROM tokens WHERE id = $1 AND revoked IS NULL", [id]).flatMap(Self.token)
    }

    private static func token(_ row: SQLRow) throws -> StoredToken? {
        let (scope, digest): (String, String) = (try row["scope"], try row["digest"])
        guard let scope = Scope(rawValue: scope), let digest = SHA256Digest(hex: digest) else { return nil }
        return StoredToken(
            id: try row["id"], name: try row["name"], scope: scope, digest: digest, created: try row["created"],
            expires: try row["expires"], quota: try QuotaRow.quota(row))
    }

    /// Whether there was a token of this name in use.
    func revoke(_ name: String, at: Int64) async throws -> Bool {
        try await database.write { session in
            try session.execute("UPDATE tokens SET revoked = $1 WHERE name = $2 AND revoked IS NULL", [at, name]) > 0
        }
    }

    /// Whether a token was ever made: to revoke the last one opens nothing.
    func hasTokens() async throws -> Bool {
        try await database.row("SELECT id FROM tokens LIMIT 1") != nil
    }

    /// Another number whenever a token or a key was made, revoked or retired, a token expired, or a session was ended.
    func tokenChanges() async throws -> Int64 {
        let sql = """
            SELECT (SELECT count(*) + count(revoked) + count(CASE WHEN expires <= $1 THEN 1 END) FROM tokens)
            + (SELECT count(*) + count(retired) FROM signingKeys)
            + (SELECT CAST(coalesce(sum(ended), 0) AS bigint) FROM sessions)
            """
        return try await database.read { session in try session.value(sql, [session.now()]) ?? 0 }
    }

    /// Changes what a token in use may have; whether there was one of this name.
    func limit(_ name: String, _ changing: @escaping @Sendable (inout TokenQuota) -> Void) async throws -> Bool {
        try await database.write { session in
            let lock = session.dialect.locking("tokens")
            let row = try session.row("SELECT * FROM tokens WHERE name = $1 AND revoked IS NULL \(lock)", [name])
            guard let row else { return false }
            var quota = try QuotaRow.quota(row)
            changing(&quota)
            try session.execute(
                "UPDATE tokens SET assetLimit = $1, byteLimit = $2, requestLimit = $3 WHERE id = $4",
                [quota.assets, quota.bytes, quota.requests, try row["id"] as String])
            return true
        }
    }

    /// What a token has and did on a day, by its id.
    func usage(of id: String, on day: Int64) async throws -> TokenUsage {
        try await database.read { session in try QuotaRow.usage(of: id, besides: nil, on: day, session) }
    }

    /// Adds to what a token did on a day.
    func add(requests: Int64, of id: String, on day: Int64) async throws {
        try await database.write { session in
            try session.execute(
                """
                INSERT INTO tokenRequests (token, day, requests) VALUES ($1, $2, $3)
                ON CONFLICT (token) DO UPDATE SET day = excluded.day,
                    requests = excluded.requests
                        + CASE WHEN tokenRequests.day = excluded.day THEN tokenRequests.requests ELSE 0 END
                WHERE tokenRequests.day <= excluded.day
                """, [id, day, requests])
        }
    }

    // MARK: - Sessions

    /// Begins a session, and ends the oldest ones of its token that are more than may be.
    func add(_ session: StoredSession, limit: Int) async throws {
        try await database.write { rows in
            let now = try rows.now()
            try rows.execute("DELETE FROM sessions WHERE expires < $1", [now])
            try rows.execute(
                """
                UPDATE sessions SET ended = $1 WHERE digest IN (
                    SELECT digest FROM sessions WHERE token = $2 AND ended IS NULL
                    ORDER BY began DESC, digest LIMIT 1000 OFFSET $3)
                """, [now, session.token, limit - 1])
            try rows.execute(
                "INSERT INTO sessions (digest, token, began, expires) VALUES ($1, $2, $3, $4)",
                [session.digest.hex, session.token, session.began, session.expires])
        }
    }

    /// One that goes on.
    func session(_ digest: SHA256Digest) async throws -> StoredSession? {
        try await database.read { rows in
            try rows.row(
                "SELECT token, began, expires FROM sessions WHERE digest = $1 AND ended IS NULL AND expires > $2",
                [digest.hex, rows.now()]
            ).map {
                StoredSession(
                    digest: digest, token: try $0["token"], began: try $0["began"], expires: try $0["expires"])
            }
        }
    }

    func end(_ session: SHA256Digest) async throws {
        try await database.write { rows in
            try rows.execute(
                "UPDATE sessions SET ended = $1 WHERE digest = $2 AND ended IS NULL", [rows.now(), session.hex])
        }
    }

    // MARK: - Signing keys

    func add(_ key: SigningKey) async throws {
        try await database.write { session in
            try session.execute(
                "INSERT INTO signingKeys (id, secret, created) VALUES ($1, $2, $3)",
                [key.id, key.secret, key.created])
        }
    }

    /// The newest first.
    func keys() async throws -> [SigningKey] {
        try await database.rows("SELECT * FROM signingKeys ORDER BY number DESC", []).map(Self.key)
    }

    func key(_ id: String) async throws -> SigningKey? {
        try await database.row("SELECT * FROM signingKeys WHERE id = $1", [id]).map(Self.key)
    }

    private static func key(_ row: SQLRow) throws -> SigningKey {
        let retired: Int64? = try row["retired"]
        return SigningKey(
            id: try row["id"], secret: try row["secret"], created: try row["created"],
            phase: retired == nil ? .active : .retired)
    }

    /// Whether there was an active key of this id; its secret is forgotten.
    func retire(_ id: String, at: Int64) async throws -> Bool {
        try await database.write { session in
            try session.execute(
                "UPDATE signingKeys SET retired = $1, secret = '' WHERE id = $2 AND retired IS NULL",
                [at, id]) > 0
        }
    }
}
