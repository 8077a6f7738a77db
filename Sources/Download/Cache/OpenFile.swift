import Glibc

/// A file that is open. A class because it owns a descriptor.
final class OpenFile {
    let descriptor: Int32
    let path: String
    private let calls: FileSystem.Calls

    /// Takes the descriptor over.
    init(_ descriptor: Int32, path: String, calls: FileSystem.Calls) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    deinit { close(descriptor) }

    /// Writes all bytes where the last ones ended.
    func write(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = calls.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileSystem.failure("write", path, count < 0 ? errno : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads at most the buffer's size into its front; 0 at the end of the file.
    func read(into buffer: inout [UInt8], at offset: Int64) throws(DownloadFailure) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileSystem.failure("read", path, errno) }
            return count
        }
    }

    /// Cuts the file; the next bytes are written at its new end.
    func truncate(to size: Int64) throws(DownloadFailure) {
        guard calls.truncate(descriptor, size) == 0, lseek(descriptor, off_t(size), SEEK_SET) >= 0 else {
            throw FileSystem.failure("write", path, errno)
        }
    }

    /// Makes the bytes last through a power cut.
    func sync() throws(DownloadFailure) {
        guard calls.sync(descriptor) == 0 else { throw FileSystem.failure("write", path, errno) }
    }
}
