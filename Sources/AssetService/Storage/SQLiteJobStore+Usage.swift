import GRDB

/// Whether something failed because the disk is full.
enum FullDisk {
    static func isBehind(_ error: any Error) -> Bool {
        if let error = error as? StorageError { return error.isFull }
        guard let error = error as? DatabaseError else { return false }
        // The second is that of the memory that processes share, which is a file.
        return error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }
}

extension SQLiteJobStore {
    func close() throws {
        // Another process on it may hold the log; then that one does it.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }

    func originalBytes() async throws -> Int64 {
        try await pool.read { try Int64.fetchOne($0, sql: "SELECT originals FROM totals") ?? 0 }
    }
}
