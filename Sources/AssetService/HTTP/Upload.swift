import Daedalus
import Glibc
import Hummingbird

/// Writes a request's body to a file while its digest is computed. What was written is gone with a failure.
struct Upload {
    let path: String
    let digest: SHA256Digest
    let bytes: Int64

    /// - Parameter declared: The length that the client announced.
    static func receive(
        _ body: RequestBody, declared: Int64?, limit: Int64, to path: String
    ) async throws -> Upload {
        if let declared, declared > limit { throw tooLarge(limit) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        do {
            var hasher = SHA256Hasher()
            var bytes: Int64 = 0
            for try await buffer in body {
                bytes += Int64(buffer.readableBytes)
                guard bytes <= limit else { throw tooLarge(limit) }
                let chunk = Array(buffer: buffer)
                hasher.update(chunk)
                try WholeFile.write(chunk[...], to: descriptor, path)
            }
            if let declared, bytes != declared {
                throw Problem(.badRequest, .downloadTruncated, "\(bytes) of \(declared) bytes came.")
            }
            guard bytes > 0 else { throw Problem(.badRequest, nil, "The body is empty; expected a file's bytes.") }
            // An answer says that it is kept; a machine that stops right after must not make that untrue.
            guard fsync(descriptor) == 0 else { throw StorageError(path, errno) }
            return Upload(path: path, digest: hasher.finish(), bytes: bytes)
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func tooLarge(_ limit: Int64) -> Problem {
        Problem(.contentTooLarge, .downloadTooLarge, "The body has more than \(limit) bytes, the most that is taken.")
    }
}
