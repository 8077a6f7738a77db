/// Reads one entry front to back. For one task at a time; several readers of one bundle may run at once.
///
/// A class because what it reads from has a place that moves.
public final class EntryReader {
    private enum State {
        case reading
        case finished
        case failed(ArchiveError)
    }

    public let entry: Bundle.Entry
    /// Bytes given out so far.
    public private(set) var position: Int64 = 0
    private let bytes: any EntryBytes
    private var state = State.reading

    init(_ entry: Bundle.Entry, _ bytes: any EntryBytes) {
        self.entry = entry
        self.bytes = bytes
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
            let count = try bytes.next(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            guard count > 0 else { throw .shorter(entry.path, declared: entry.size, real: position) }
            position += Int64(count)
            return count
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Goes on at a byte further on.
    ///
    /// - Returns: False, with nothing changed, where the entry is packed, so that all before that byte has to be read, and
    ///   where it has no such byte.
    public func skip(to offset: Int64) -> Bool {
        guard case .reading = state, offset >= position, offset <= entry.size, bytes.skip(to: offset) else {
            return false
        }
        position = offset
        return true
    }

    /// Reads one byte more than declared: there must be none, and the CRC is checked where the end is found.
    private func finish() throws(ArchiveError) {
        let extra = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { extra.deallocate() }
        let count = try bytes.next(into: extra)
        guard count == 0 else { throw .longer(entry.path, than: entry.size) }
    }
}
