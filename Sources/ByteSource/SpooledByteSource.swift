import Glibc

/// What can be read only once (standard input, an inflating entry), drained so that it can be read at any place.
///
/// Up to `memoryLimit` bytes stay in memory; more go into one file without a name, gone with the process.
package struct SpooledByteSource: ByteSource {
    package static let defaultMemoryLimit = 8 << 20

    private enum Storage {
        case memory(MemoryByteSource)
        case file(FileByteSource)
    }

    private let storage: Storage

    /// Reads `descriptor` to its end; it stays open and the caller's.
    ///
    /// - Parameters:
    ///   - name: What errors call it.
    ///   - limit: Bytes; one more is an error with the cause `overLimit`.
    package init(
        draining descriptor: Int32, name: String, limit: Int64, memoryLimit: Int = defaultMemoryLimit
    ) throws(ByteSourceError) {
        try self.init(name: name, limit: limit, memoryLimit: memoryLimit) { buffer throws(ByteSourceError) in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno == EAGAIN {
                    // A pipe that someone else set non-blocking: wait for its bytes.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    _ = poll(&ready, 1, -1)
                    continue
                }
                guard errno == EINTR else { throw ByteSourceError(operation: "read", subject: name, errno: errno) }
            }
        }
    }

    /// Calls `pull` until it gives 0.
    ///
    /// - Parameter pull: Fills the front of the buffer, gives the number of bytes it wrote there.
    package init(
        name: String, limit: Int64, memoryLimit: Int = defaultMemoryLimit,
        pull: (UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int
    ) throws(ByteSourceError) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        var memory: [UInt8] = []
        var file: TemporaryFile?
        var total: Int64 = 0
        while true {
            let count = min(try pull(chunk), chunk.count)
            guard count > 0 else { break }
            total += Int64(count)
            guard total <= limit else {
                throw ByteSourceError(
                    operation: "read", subject: name, reason: "it has more than \(limit) bytes", cause: .overLimit)
            }
            let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
            if file == nil, memory.count + count > memoryLimit {
                let opened = try TemporaryFile()
                try memory.span.withUnsafeBytes { held throws(ByteSourceError) in try opened.append(held) }
                memory = []
                file = opened
            }
            if let file {
                try file.append(bytes)
            } else {
                memory.append(contentsOf: bytes)
            }
        }
        if let file {
            storage = .file(try file.source(name: name))
        } else {
            storage = .memory(MemoryByteSource(memory))
        }
    }

    /// Whether it lies in memory as a whole.
    package var isInMemory: Bool {
        switch storage {
        case .memory: true
        case .file: false
        }
    }

    package var size: Int64 {
        switch storage {
        case .memory(let memory): memory.size
        case .file(let file): file.size
        }
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        switch storage {
        case .memory(let memory): memory.read(at: offset, into: buffer)
        case .file(let file): try file.read(at: offset, into: buffer)
        }
    }
}

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
