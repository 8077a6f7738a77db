import Daedalus
import Glibc
import Hummingbird

/// Bytes on their way to a file of their own, while their digest is computed. A class because it owns the file: what
/// was not finished is gone with it.
final class UploadFile {
    private let path: String
    private let limit: Int64
    private var descriptor: Int32
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private(set) var bytes: Int64 = 0
    /// The first byte that is no white space.
    private(set) var opening: UInt8?

    /// - Parameter limit: Bytes at most.
    init(_ path: String, limit: Int64) throws(StorageError) {
        self.path = path
        self.limit = limit
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }

    func write(_ chunk: ArraySlice<UInt8>) throws {
        bytes += Int64(chunk.count)
        guard bytes <= limit else { throw Self.tooLarge(limit) }
        if opening == nil { opening = chunk.first { !" \t\r\n".utf8.contains($0) } }
        chunk.withUnsafeBytes { hasher?.update($0) }
        try WholeFile.write(chunk, to: descriptor, path)
    }

    /// The file is the caller's from here on.
    func finish() async throws -> Upload {
        guard bytes > 0 else { throw Problem(.badRequest, nil, "There are no bytes; expected a file's.") }
        // An answer says that it is kept; a machine that stops right after must not make that untrue.
        try await Durable.sync(descriptor, path)
        guard let digest = hasher.take()?.finish() else { throw StorageError(path, EBADF) }
        close(descriptor)
        descriptor = -1
        return Upload(path: path, digest: digest, bytes: bytes)
    }

    static func tooLarge(_ limit: Int64) -> Problem {
        Problem(.contentTooLarge, .downloadTooLarge, "There are more than \(limit) bytes, the most that is taken.")
    }
}
