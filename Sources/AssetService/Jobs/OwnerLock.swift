// A claim's time limit alone would let a restart wait for it. Of a process on this machine a lock tells at once.

import Daedalus
import Glibc

/// The name of one running service, locked as long as it runs. A class because it owns the descriptor.
final class OwnerLock: Sendable {
    let name: String
    private let path: String
    private let descriptor: Int32

    init(_ folder: ServiceFolder) throws(StorageError) {
        name = AssetID.random().text
        path = folder.owners + "/" + name
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw StorageError(path, errno) }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Whether the process of this name ended; `false` where that cannot be told.
    static func isGone(_ name: String, _ folder: ServiceFolder) -> Bool {
        guard AssetID(name) != nil else { return true }
        let path = folder.owners + "/" + name
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        unlink(path)
        return true
    }
}
