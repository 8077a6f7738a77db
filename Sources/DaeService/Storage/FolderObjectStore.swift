import DaeCore
import Daedalus

/// Objects as files of one folder, each at its key. Several processes of one machine may share it.
struct FolderObjectStore: ObjectStore {
    let folder: ServiceFolder

    func path(_ key: ObjectKey) -> String { "\(folder.path)/\(key.text)" }

    // MARK: - Putting

    func put(localFile file: String, at key: ObjectKey) async throws(StorageError) {
        try await Thread.run { () throws(StorageError) in try place(file, at: key) }
    }

    func put(_ bytes: [UInt8], at key: ObjectKey) async throws(StorageError) {
        try await Thread.run { () throws(StorageError) in
            let file = folder.newUpload()
            do throws(StorageError) {
                try OpenFile(file, .creating, permissions: 0o600).write(bytes)
                try place(file, at: key)
            } catch {
                unlink(file)
                throw error
            }
        }
    }

    private func place(_ file: String, at key: ObjectKey) throws(StorageError) {
        let target = path(key)
        try Durable.sync(file)
        if rename(file, target) != 0 {
            let code = errno
            guard code == ENOENT else { throw StorageError(target, code) }
            try ServiceFolder.make(FolderReading.folder(of: target))
            guard rename(file, target) == 0 else { throw StorageError(target, errno) }
        }
        var parent = FolderReading.folder(of: target)
        try Durable.sync(parent)
        // A result whose folder is lost is made again; an original is not.
        guard key.origin != nil else { return }
        while parent != folder.blobs, parent.utf8.count > folder.blobs.utf8.count {
            parent = FolderReading.folder(of: parent)
            try Durable.sync(parent)
        }
    }

    // MARK: - Reading

    func open(_ key: ObjectKey) throws(StorageError) -> (any ObjectReading)? {
        let path = path(key)
        // It counts as used from now on; of originals nobody asks when they were.
        if key.origin == nil, !FileMetadata.markUsed(path) { return nil }
        do throws(StorageError) { return try OpenedFile(path) } catch {
            guard Self.isAbsence(error.code) else { throw error }
            return nil
        }
    }

    func head(_ key: ObjectKey) -> StoredObject? { object(key) }

    private func object(_ key: ObjectKey) -> StoredObject? {
        guard let metadata = FileMetadata(path(key)), metadata.kind == .file else { return nil }
        return StoredObject(key: key, size: metadata.size, changed: metadata.changed)
    }

    func bring(_ key: ObjectKey, toLocalFile file: String) async throws(StorageError) -> Bool {
        try await Thread.run { () throws(StorageError) in
            guard object(key) != nil else { return false }
            try FileCopy.copy(path(key), to: file)
            return true
        }
    }

    func localFile(_ key: ObjectKey) -> String? {
        let path = path(key)
        return access(path, R_OK) == 0 ? path : nil
    }

    var evictable: EvictableResults? { EvictableResults(folder: folder) }

    // MARK: - Removing

    func remove(_ key: ObjectKey) throws(StorageError) {
        let path = path(key)
        guard unlink(path) == 0 || Self.isAbsence(errno) else { throw StorageError(path, errno) }
    }

    func removeAll(_ prefix: String) async { await Thread.run { discardAll(prefix) } }

    /// The same, on the thread that asks.
    func discardAll(_ prefix: String) {
        guard ObjectKey.Kind(prefix: prefix) != nil else { return }
        let parent = FolderReading.folder(of: "\(folder.path)/\(prefix)")
        for name in ServiceFolder.names(in: parent) where "\(parent)/\(name)".hasPrefix("\(folder.path)/\(prefix)") {
            ServiceFolder.discard("\(parent)/\(name)")
        }
    }

    private static func isAbsence(_ code: Int32) -> Bool { [ENOENT, ENOTDIR, EISDIR].contains(code) }

    // MARK: - Listing

    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject] {
        guard ObjectKey.Kind(prefix: prefix) != nil else { return [] }
        return await Thread.run {
            var listing = Listing(store: self, prefix: prefix, after: after?.text ?? "", limit: limit)
            listing.read(FolderReading.folder(of: prefix))
            return listing.found
        }
    }

    /// One page, whose folders are read as they come in the order of all keys.
    private struct Listing {
        let store: FolderObjectStore
        let prefix: String
        let after: String
        let limit: Int
        private(set) var found: [StoredObject] = []

        init(store: FolderObjectStore, prefix: String, after: String, limit: Int) {
            (self.store, self.prefix, self.after, self.limit) = (store, prefix, after, limit)
        }

        /// - Parameter part: The folder as keys begin that are in it.
        mutating func read(_ part: String) {
            for text in entries(part) {
                guard found.count < limit else { return }
                if text.hasSuffix("/") {
                    guard text.hasPrefix(prefix) || prefix.hasPrefix(text), text > after || after.hasPrefix(text) else {
                        continue
                    }
                    read(String(text.dropLast()))
                } else if text.hasPrefix(prefix), text > after, let key = ObjectKey(text),
                    let object = store.object(key)
                {
                    found.append(object)
                }
            }
        }

        /// What is in a folder in the order of keys, in which a folder's name counts with the `/` behind it.
        private func entries(_ part: String) -> [String] {
            let path = part == "." ? store.folder.path : "\(store.folder.path)/\(part)"
            var entries: [String] = []
            _ = FolderReading.read(path) { name, type in
                let text = (part == "." ? "" : part + "/") + String(decoding: name, as: UTF8.self)
                let isFolder =
                    type == DT_UNKNOWN ? ServiceFolder.isFolder("\(store.folder.path)/\(text)") : type == DT_DIR
                entries.append(isFolder ? text + "/" : text)
                return true
            }
            return entries.sorted()
        }
    }
}
