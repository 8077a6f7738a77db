// Nothing visible that is not whole: bytes go to `partial/`, and only a synced file is renamed to its digest.

import ContentHash
import Glibc

/// A file that is being written to the cache. A class because it owns a descriptor: whatever way it goes without
/// ``commit()``, the file goes with it.
final class PartialFile {
    private enum State {
        case writing(descriptor: Int32)
        case settled
    }

    private let cache: DownloadCache
    private let path: String
    private var state: State
    private var hasher: SHA256Hasher?
    private(set) var size: Int64 = 0

    /// Makes the cache's folders where they are missing, and an empty file of a name of its own.
    init(in cache: DownloadCache) throws(DownloadFailure) {
        self.cache = cache
        try FileSystem.makeFolder(cache.partialFolder)
        path = "\(cache.partialFolder)/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        state = .writing(descriptor: try FileSystem.create(path))
        hasher = SHA256Hasher()
    }

    deinit {
        switch state {
        case .settled: break
        case .writing(let descriptor):
            close(descriptor)
            unlink(path)
        }
    }

    /// Appends to the file and to its digest.
    func write(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        switch state {
        case .settled: throw ended
        case .writing(let descriptor):
            try FileSystem.write(bytes, to: descriptor, path: path)
            hasher?.update(bytes)
            size += Int64(bytes.count)
        }
    }

    /// Syncs the file and gives it the name of its digest; a file that already has that name is replaced by its equal.
    func commit() throws(DownloadFailure) -> (path: String, sha256: SHA256Digest) {
        guard case .writing(let descriptor) = state, let digest = hasher.take()?.finish() else { throw ended }
        try FileSystem.sync(descriptor, path: path)
        let folder = cache.blobFolder(of: digest)
        try FileSystem.makeFolder(folder)
        let blob = cache.path(of: digest)
        try FileSystem.rename(path, to: blob)
        state = .settled
        close(descriptor)
        // After a power cut the name may be missing, never wrong: no failure if this one does not succeed.
        FileSystem.syncFolder(folder)
        return (blob, digest)
    }

    private var ended: DownloadFailure {
        .io(operation: "write", subject: path, reason: "the file has its end already")
    }
}
