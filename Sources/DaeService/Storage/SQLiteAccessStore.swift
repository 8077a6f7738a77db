import Daedalus
import GRDB

/// ``AccessStore`` in the same file as all else.
struct SQLiteAccessStore: AccessStore {
    private let pool: DatabasePool

    init(_ store: SQLiteJobStore) { pool = store.pool }

    // MARK: - Tokens

    func add(_ token: StoredToken) async throws -> Bool {
        try await pool.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO tokens (id, name, scope, digest, created) VALUES (?, ?, ?, ?, ?)",
                arguments: [token.id, token.name, token.scope.rawValue, token.digest.hex, token.created])
            return database.changesCount == 1
        }
    }

    func tokens() async throws -> [StoredToken] {
        try await pool.read {
            try Row.fetchAll($0, sql: "SELECT * FROM tokens WHERE revoked IS NULL ORDER BY name").compactMap(Self.token)
        }
    }

    func token(_ id: String) async throws -> StoredToken? {
        try await pool.read {
            try Row.fetchOne($0, sql: "SELECT * FROM tokens WHERE id = ? AND revoked IS NULL", arguments: [id])
                .flatMap(Self.token)
        }
    }

    private static func token(_ row: Row) -> StoredToken? {
        let (scope, digest): (String, String) = (row["scope"], row["digest"])
        guard let scope = Scope(rawValue: scope), let digest = SHA256Digest(hex: digest) else { return nil }
        return StoredToken(id: row["id"], name: row["name"], scope: scope, digest: digest, created: row["created"])
    }

    func revoke(_ name: String, at: Int64) async throws -> Bool {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL", arguments: [at, name])
            return database.changesCount > 0
        }
    }

    func hasTokens() async throws -> Bool {
        try await pool.read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM tokens)") ?? false }
    }

    // MARK: - Signing keys

    func add(_ key: SigningKey) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "INSERT INTO signingKeys (id, secret, created) VALUES (?, ?, ?)",
                arguments: [key.id, key.secret, key.created])
        }
    }

    func keys() async throws -> [SigningKey] {
        try await pool.read {
            try Row.fetchAll($0, sql: "SELECT * FROM signingKeys ORDER BY number DESC").map(Self.key)
        }
    }

    func key(_ id: String) async throws -> SigningKey? {
        try await pool.read {
            try Row.fetchOne($0, sql: "SELECT * FROM signingKeys WHERE id = ?", arguments: [id]).map(Self.key)
        }
    }

    private static func key(_ row: Row) -> SigningKey {
        let retired: Int64? = row["retired"]
        return SigningKey(
            id: row["id"], secret: row["secret"], created: row["created"], phase: retired == nil ? .active : .retired)
    }

    func retire(_ id: String, at: Int64) async throws -> Bool {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE signingKeys SET retired = ?, secret = '' WHERE id = ? AND retired IS NULL",
                arguments: [at, id])
            return database.changesCount > 0
        }
    }

    // MARK: - Requests with keys

    func begin(_ request: KeyedRequest, now: Int64) async throws -> KeyedRequest.Standing {
        try await pool.write { database in
            try database.execute(
                sql: "DELETE FROM requestKeys WHERE begun < ?", arguments: [now - KeyedRequest.lifetime])
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM requestKeys WHERE client = ? AND key = ?",
                arguments: [request.client, request.key])
            if let row, let standing = Self.standing(row, now) { return standing }
            // Whoever began it is gone, and may have done it.
            let begun = row.flatMap { $0["line"] == request.line ? $0["once"] as String? : nil }
            let once = begun.map(OnceID.init) ?? .random()
            try database.execute(
                sql: """
                    DELETE FROM requestKeys WHERE rowid IN (
                        SELECT rowid FROM requestKeys ORDER BY begun DESC LIMIT -1 OFFSET ?)
                    """, arguments: [KeyedRequest.limit - 1])
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO requestKeys (client, key, line, begun, workedUntil, once)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    request.client, request.key, request.line, now, now + KeyedRequest.lease, once.text,
                ])
            return .begun(once)
        }
    }

    /// `nil` where whoever worked on it is gone.
    private static func standing(_ row: Row, _ now: Int64) -> KeyedRequest.Standing? {
        let (status, digest): (Int?, String?) = (row["status"], row["digest"])
        guard let status, let digest = digest.flatMap({ SHA256Digest(hex: $0) }) else {
            let workedUntil: Int64 = row["workedUntil"]
            return workedUntil >= now ? .running : nil
        }
        return .answered(
            line: row["line"], body: digest,
            KeyedRequest.Answer(
                status: status, location: row["location"], type: row["type"], body: row["body"] ?? ""))
    }

    func renew(_ request: KeyedRequest, now: Int64) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE requestKeys SET workedUntil = ? WHERE client = ? AND key = ? AND status IS NULL",
                arguments: [now + KeyedRequest.lease, request.client, request.key])
        }
    }

    func finish(_ request: KeyedRequest, body: SHA256Digest, _ answer: KeyedRequest.Answer) async throws {
        try await pool.write { database in
            try database.execute(
                sql: """
                    UPDATE requestKeys SET digest = ?, status = ?, location = ?, type = ?, body = ?
                    WHERE client = ? AND key = ?
                    """,
                arguments: [
                    body.hex, answer.status, answer.location, answer.type, answer.body, request.client, request.key,
                ])
        }
    }

    func forget(_ request: KeyedRequest) async throws {
        try await pool.write { database in
            try database.execute(
                sql: """
                    DELETE FROM requestKeys WHERE client = ? AND key = ? AND status IS NULL
                    AND NOT EXISTS (SELECT 1 FROM doneOnce WHERE doneOnce.once = requestKeys.once)
                    """, arguments: [request.client, request.key])
            // What it asked for was done, and only its answer was not: that is given to whoever asks again.
            try database.execute(
                sql: "UPDATE requestKeys SET workedUntil = 0 WHERE client = ? AND key = ? AND status IS NULL",
                arguments: [request.client, request.key])
        }
    }
}
