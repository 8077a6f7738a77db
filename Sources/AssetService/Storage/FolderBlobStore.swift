import Daedalus
import Glibc

/// Contents as files of one folder.
struct FolderBlobStore: BlobStore {
    let folder: String

    func adopt(_ file: String, as digest: SHA256Digest) throws(StorageError) {
        let target = path(digest)
        try ServiceFolder.make(parent(digest))
        try Durable.sync(file)
        guard rename(file, target) == 0 else { throw StorageError(target, errno) }
        try Durable.sync(parent(digest))
        try Durable.sync(folder)
    }

    func file(_ digest: SHA256Digest) throws(StorageError) -> String? {
        let file = path(digest)
        return access(file, R_OK) == 0 ? file : nil
    }

    func remove(_ digest: SHA256Digest) throws(StorageError) {
        guard unlink(path(digest)) == 0 || errno == ENOENT else { throw StorageError(path(digest), errno) }
    }

    func digests() -> [SHA256Digest] {
        ServiceFolder.names(in: folder).flatMap { group in
            ServiceFolder.names(in: "\(folder)/\(group)").compactMap { SHA256Digest(hex: $0) }
        }
    }

    private func parent(_ digest: SHA256Digest) -> String { "\(folder)/\(digest.hex.prefix(2))" }
    private func path(_ digest: SHA256Digest) -> String { "\(parent(digest))/\(digest.hex)" }
}
