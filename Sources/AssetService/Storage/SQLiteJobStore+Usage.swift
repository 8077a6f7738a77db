import GRDB

extension SQLiteJobStore {
    func close() throws {
        // Another process on it may hold the log; then that one does it.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }

    func originalBytes() async throws -> Int64 {
        try await pool.read { try Int64.fetchOne($0, sql: "SELECT sum(bytes) FROM contents") ?? 0 }
    }
}
