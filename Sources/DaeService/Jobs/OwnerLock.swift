import DaeCore
import Daedalus

// A claim's time limit alone would let a restart wait for it. Of a process on this machine a lock tells at once.

/// The name of one running service, locked as long as it runs. A class because it owns the descriptor.
final class OwnerLock: Sendable {
    let id = AssetID.random()
    private let folder: ServiceFolder
    private let descriptor: Int32

    var name: String { id.text }

    init(_ folder: ServiceFolder) throws(StorageError) {
        self.folder = folder
        // Named once it is locked: who finds the name unlocked may take its process for gone.
        let path = folder.owners + "/" + id.text
        let place = path + ".new"
        descriptor = open(place, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(place, path) == 0 else {
            throw StorageError(path, errno)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Says that the process is at its end: nothing is on its way any more.
    func end() {
        for file in folder.uploads(of: name) { ServiceFolder.discard(file) }
        unlink(folder.owners + "/" + name)
    }

    /// Whether the process of this name ended. All of one folder run on one machine, as SQLite's log demands.
    static func isGone(_ name: String, _ folder: ServiceFolder) -> Bool {
        guard AssetID(name) != nil else { return true }
        let path = folder.owners + "/" + name
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// The names of uploads whose owner is gone.
    static func strays(_ folder: ServiceFolder) -> [String] {
        ServiceFolder.names(in: folder.uploads).filter { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && isGone(String(parts[0]), folder)
        }
    }

    /// Removes what processes that are gone left on its way, and their names; gives the names.
    @discardableResult
    static func clear(_ folder: ServiceFolder) -> [String] {
        var gone: Set<String> = []
        for file in strays(folder) {
            ServiceFolder.discard(folder.uploads + "/" + file)
            gone.insert(String(file.prefix { $0 != "." }))
        }
        for name in ServiceFolder.names(in: folder.owners) where AssetID(name) != nil && isGone(name, folder) {
            unlink(folder.owners + "/" + name)
            gone.insert(name)
        }
        return gone.sorted()
    }
}
