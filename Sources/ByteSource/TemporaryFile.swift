import Glibc

/// A file without a name, gone with the process. A class because it owns a file descriptor.
///
/// Reading and writing at places is safe from several threads at once.
public final class TemporaryFile: Sendable {
    private let descriptor: Int32
    private let folder: String

    /// `$TMPDIR`, else `/tmp`.
    static var defaultFolder: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    /// In `$TMPDIR`, else `/tmp`.
    public convenience init() throws(ByteSourceError) { try self.init(in: Self.defaultFolder) }

    init(in folder: String) throws(ByteSourceError) {
        self.folder = folder
        // O_TMPFILE, which Swift does not import; file systems without it answer with an error.
        let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
        let opened = open(folder, O_RDWR | O_CLOEXEC | O_EXCL | unnamed, 0o600)
        descriptor = opened >= 0 ? opened : try Self.openUnlinked(in: folder)
    }

    deinit { close(descriptor) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ByteSourceError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count < 0, errno != EINTR {
                throw ByteSourceError(operation: "write a temporary file", subject: folder, errno: errno)
            }
        }
    }

    /// Writes at a place, which may lie behind the end: what is between reads as zeros, and takes no room.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ByteSourceError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
            if count > 0 {
                written += count
            } else if count < 0, errno != EINTR {
                throw ByteSourceError(operation: "write a temporary file", subject: folder, errno: errno)
            }
        }
    }

    /// Copies bytes from `offset` on; gives how many, 0 at the end.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw ByteSourceError(operation: "read a temporary file", subject: folder, errno: errno)
            }
        }
    }

    /// Its first bytes in memory; `nil` or `MAP_FAILED` where they cannot be had there.
    func map(_ count: Int) -> UnsafeMutableRawPointer? { mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0) }

    /// What was written, to be read; outlives this value.
    func source(name: String) throws(ByteSourceError) -> FileByteSource {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw ByteSourceError(operation: "open", subject: name, errno: errno) }
        return try FileByteSource(adopting: copy, name: name)
    }

    private static func openUnlinked(in folder: String) throws(ByteSourceError) -> Int32 {
        var template = Array("\(folder)/dae-XXXXXX".utf8CString)
        let descriptor = template.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let path = buffer.baseAddress else { return -1 }
            let descriptor = mkstemp(path)
            guard descriptor >= 0 else { return -1 }
            unlink(path)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
        guard descriptor >= 0 else {
            throw ByteSourceError(operation: "make a temporary file", subject: folder, errno: errno)
        }
        return descriptor
    }
}
