/// A file without a name, gone with the process. A class because it owns a file descriptor.
///
/// Reading and writing at places is safe from several threads at once.
package final class TemporaryFile: Sendable {
    private let file: OpenFile

    /// `$TMPDIR`, else `/tmp`.
    package static var folder: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    /// In `$TMPDIR`, else `/tmp`.
    package convenience init() throws(ByteSourceError) { try self.init(in: Self.folder) }

    init(in folder: String) throws(ByteSourceError) {
        do throws(SystemError) { file = try OpenFile(unnamedIn: folder, name: folder) } catch {
            throw ByteSourceError(operation: "make a temporary file", error)
        }
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(ByteSourceError) {
        do throws(SystemError) { try file.write(bytes.bytes) } catch {
            throw ByteSourceError(operation: "write a temporary file", error)
        }
    }

    /// Writes at a place, which may lie behind the end: what is between reads as zeros, and takes no space.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ByteSourceError) {
        do throws(SystemError) { try file.write(bytes.bytes, at: offset) } catch {
            throw ByteSourceError(operation: "write a temporary file", error)
        }
    }

    /// Copies bytes from `offset` on; gives how many, 0 at the end.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        do throws(SystemError) { return try file.read(into: buffer, at: offset) } catch {
            throw ByteSourceError(operation: "read a temporary file", error)
        }
    }

    /// Its first bytes in memory.
    ///
    /// - Parameter count: At least 1; may be more than the file has yet.
    package func mapped(_ count: Int) throws(ByteSourceError) -> FileMapping {
        guard let memory = mmap(nil, count, PROT_READ, MAP_SHARED, file.descriptor, 0), memory != MAP_FAILED else {
            throw ByteSourceError(operation: "map a temporary file", SystemError("\(count) bytes"))
        }
        return FileMapping(memory, count: count)
    }

    /// What was written, to be read; outlives this value.
    package func source(name: String) throws(ByteSourceError) -> FileByteSource {
        let copy: OpenFile
        do throws(SystemError) { copy = try file.copy(name: name) } catch {
            throw ByteSourceError(operation: "open", error)
        }
        return try FileByteSource(copy)
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
