import GRDB

extension SQLiteJobStore {
    func originalBytes() async throws -> Int64 {
        try await pool.read { try Int64.fetchOne($0, sql: "SELECT sum(bytes) FROM contents") ?? 0 }
    }
}
