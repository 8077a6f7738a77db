import Glibc

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

extension TemporaryFile {
    /// - Parameter count: At least 1; may be more than the file has yet.
    package func mapped(_ count: Int) throws(ByteSourceError) -> FileMapping {
        guard let memory = map(count), memory != MAP_FAILED else {
            throw ByteSourceError(operation: "map a temporary file", subject: "\(count) bytes", errno: errno)
        }
        return FileMapping(memory, count: count)
    }
}
