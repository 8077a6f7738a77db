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
