// Locked while it is written to: the lock ends with the process, and other processes on the same folder see it.

import Daedalus
import Glibc

/// The bytes of an upload that has begun. A class because it owns the descriptor and the lock on it.
final class PartialFile {
    let path: String
    private let descriptor: Int32

    /// `nil` while another request, here or in another process, holds it.
    init?(_ path: String) throws(StorageError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int64 { Int64(lseek(descriptor, 0, SEEK_END)) }

    /// Drops what lies behind the first `count` bytes; the next are written there.
    func cut(to count: Int64) throws(StorageError) {
        guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw StorageError(path, errno)
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(StorageError) { try WholeFile.write(bytes, to: descriptor, path) }

    /// Returns when the bytes, and the file's name, outlive a machine that stops.
    func sync() async throws(StorageError) {
        let path = path
        try await Durable.sync(descriptor, path)
        try await Thread.run { () throws(StorageError) in try Durable.sync(folderOf: path) }
    }

    func remove() { unlink(path) }

    /// The digest of all bytes; takes long for many.
    static func digest(_ path: String) async throws(StorageError) -> SHA256Digest {
        try await Thread.run { () throws(StorageError) in try FileDigest.of(path) }
    }
}

enum FileDigest {
    static func of(_ path: String) throws(StorageError) -> SHA256Digest {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        var hasher = SHA256Hasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(path, errno) }
            if count == 0 { return hasher.finish() }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
