import DaeObjectStore
import DaePostgreSQL
import GRDB

/// What is wrong with what keeps rows or bytes, and is not the request's fault.
enum StoreFault {
    /// There is no room.
    case full
    /// It cannot be reached, or does not serve now.
    case outage

    /// `nil` for every other error.
    init?(_ error: any Error) {
        switch error {
        case let error as StorageError where error.isFull: self = .full
        // The second is that of the memory that processes share, which is a file.
        case let error as DatabaseError
        where error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            self = .full
        case let error as PostgreSQLError where error.isFull: self = .full
        case let error as PostgreSQLError where error.isTransient: self = .outage
        case .unreachable as S3Error, .transient as S3Error: self = .outage
        default: return nil  // allowed: errors are of any type, and of many
        }
    }
}
