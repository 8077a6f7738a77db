import ByteSource

/// Reads one entry front to back. For one task at a time; several readers of one bundle may run at once.
///
/// A class because it owns libzip's open file.
public final class EntryReader {
    private enum Origin {
        case archived(ZipHandle, file: OpaquePointer)
        case plain(any ByteSource)
    }

    private enum State {
        case reading
        case finished
        case failed(ArchiveError)
    }

    public let entry: Bundle.Entry
    /// Bytes given out so far.
    public private(set) var position: Int64 = 0
    private let origin: Origin
    private var state = State.reading

    init(_ entry: Bundle.Entry, archive: ZipHandle, index: Int) throws(ArchiveError) {
        self.entry = entry
        origin = .archived(archive, file: try archive.open(index, entry: entry.path))
    }

    init(_ entry: Bundle.Entry, source: any ByteSource) {
        self.entry = entry
        origin = .plain(source)
    }

    deinit {
        switch origin {
        case .archived(let archive, let file): archive.close(file)
        case .plain: break
        }
    }

    /// Fills the front of `buffer` with the next bytes.
    ///
    /// - Returns: How many; 0 at the end, after size and CRC were found right, and for an empty buffer.
    /// - Throws: The same error again once one was thrown.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        switch state {
        case .finished: return 0
        case .failed(let error): throw error
        case .reading: break
        }
        do throws(ArchiveError) {
            let rest = entry.size - position
            guard rest > 0 else {
                try finish()
                state = .finished
                return 0
            }
            let wanted = Int(min(Int64(buffer.count), rest))
            let count = try next(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            guard count > 0 else { throw .shorter(entry.path, declared: entry.size, real: position) }
            position += Int64(count)
            return count
        } catch {
            state = .failed(error)
            throw error
        }
    }

    private func next(_ buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        switch origin {
        case .archived(let archive, let file):
            return try archive.read(file, into: buffer, entry: entry.path)
        case .plain(let source):
            do { return try source.read(at: position, into: buffer) } catch {
                throw .unreadable(error, entry: entry.path)
            }
        }
    }

    /// Reads one byte more than declared: there must be none, and libzip checks the CRC when it finds the end.
    private func finish() throws(ArchiveError) {
        let extra = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { extra.deallocate() }
        let count = try next(extra)
        guard count == 0 else { throw .longer(entry.path, than: entry.size) }
    }
}
