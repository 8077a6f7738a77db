import Glibc

/// A regular file, read by `pread`, so that no reader disturbs another.
///
/// A class because it owns a file descriptor. The size is the one at opening: what is appended later is not seen.
package final class FileByteSource: ByteSource {
    private let descriptor: Int32
    private let name: String
    package let size: Int64

    /// What a path leads to.
    package enum Found {
        case file(FileByteSource)
        case folder
    }

    /// Opens the file at `path`; a link is followed, anything but a regular file is refused.
    package convenience init(path: String) throws(ByteSourceError) {
        try self.init(adopting: try Self.descriptor(of: path), name: path)
    }

    /// Takes over an open descriptor, and closes it also when it is refused.
    ///
    /// - Parameter name: What errors call it.
    package convenience init(adopting descriptor: Int32, name: String) throws(ByteSourceError) {
        try self.init(adopting: descriptor, try Self.status(of: descriptor, name), name: name)
    }

    private init(adopting descriptor: Int32, _ status: stat, name: String) throws(ByteSourceError) {
        self.descriptor = descriptor
        self.name = name
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ByteSourceError(
                operation: "open", subject: name,
                reason: "it is \(Self.kind(of: status.st_mode)), where a regular file was expected")
        }
        self.size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Opens the file at `path` unless that is a folder; a link is followed, anything else is refused.
    // The system is asked once what it is: for a small file each question is a good part of all that reading takes.
    package static func find(path: String) throws(ByteSourceError) -> Found {
        let descriptor = try descriptor(of: path)
        let status = try status(of: descriptor, path)
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            return .folder
        }
        return .file(try FileByteSource(adopting: descriptor, status, name: path))
    }

    private static func descriptor(of path: String) throws(ByteSourceError) -> Int32 {
        guard path.withCString({ strlen($0) }) == path.utf8.count else {
            throw ByteSourceError(operation: "open", subject: path, reason: "the path holds a NUL", isMissing: true)
        }
        // Without O_NONBLOCK the opening of a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw ByteSourceError(operation: "open", subject: path, errno: errno) }
        return descriptor
    }

    /// Closes the descriptor where there is none.
    private static func status(of descriptor: Int32, _ name: String) throws(ByteSourceError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = ByteSourceError(operation: "open", subject: name, errno: errno)
            close(descriptor)
            throw error
        }
        return status
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let wanted = available(at: offset, wanted: buffer.count)
        guard wanted > 0 else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            if count > 0 { return count }
            if count == 0 {
                throw ByteSourceError(
                    operation: "read", subject: name, reason: "it ended at byte \(offset) of \(size) while being read")
            }
            guard errno == EINTR else { throw ByteSourceError(operation: "read", subject: name, errno: errno) }
        }
    }

    private static func kind(of mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "a special file"
        }
    }
}
