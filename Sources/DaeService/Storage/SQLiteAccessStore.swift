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

    func tokenChanges() async throws -> Int64 {
        try await pool.read { try Int64.fetchOne($0, sql: "SELECT count(*) + count(revoked) FROM tokens") ?? 0 }
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
}
