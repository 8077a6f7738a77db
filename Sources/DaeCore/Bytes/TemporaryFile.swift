import Glibc

/// A file without a name, gone with the process. A class because it owns a file descriptor.
///
/// Reading and writing at places is safe from several threads at once.
package final class TemporaryFile: Sendable {
    private let descriptor: Int32
    private let folder: String

    /// `$TMPDIR`, else `/tmp`.
    private static var defaultFolder: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    /// In `$TMPDIR`, else `/tmp`.
    package convenience init() throws(ByteSourceError) { try self.init(in: Self.defaultFolder) }

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
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ByteSourceError) {
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
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw ByteSourceError(operation: "read a temporary file", subject: folder, errno: errno)
            }
        }
    }

    /// Its first bytes in memory.
    ///
    /// - Parameter count: At least 1; may be more than the file has yet.
    package func mapped(_ count: Int) throws(ByteSourceError) -> FileMapping {
        guard let memory = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
            throw ByteSourceError(operation: "map a temporary file", subject: "\(count) bytes", errno: errno)
        }
        return FileMapping(memory, count: count)
    }

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

/// The beginning of a ``TemporaryFile`` in memory, to be read. A class because it owns the mapping, which lasts as long
/// as it does.
///
/// Pages are read when they are first looked at, and what is written to the file later is seen too.
package final class FileMapping: Sendable {
    /// As a number, since a pointer is not `Sendable`.
    private let address: UInt
    /// Bytes, of which only those may be looked at that the file has.
    package let count: Int

    fileprivate init(_ memory: UnsafeMutableRawPointer, count: Int) {
        address = UInt(bitPattern: memory)
        self.count = count
    }

    deinit { munmap(UnsafeMutableRawPointer(bitPattern: address), count) }

    /// The bytes from `offset` (0..<``count``) on; valid as long as the mapping is there.
    package func start(at offset: Int) -> UInt { address + UInt(offset) }

    /// Takes the pages out of this process's memory that were looked at; they are read again when they are next.
    package func giveBack() { madvise(UnsafeMutableRawPointer(bitPattern: address), count, MADV_DONTNEED) }
}
