import ByteSource

/// The inflated bytes of one entry, front to back, wherever they come from.
protocol EntryBytes: AnyObject {
    /// Fills the front of `buffer`, which is not empty; 0 at the end, where all that can be checked was found right.
    func next(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
    /// Goes on at a byte further on; false, with nothing changed, where all before it would have to be read.
    func skip(to offset: Int64) -> Bool
}

extension EntryBytes {
    func skip(to offset: Int64) -> Bool { false }
}

/// A file that is not packed.
final class PlainBytes: EntryBytes {
    private let source: any ByteSource
    private let entry: String
    private var position: Int64 = 0

    init(_ source: any ByteSource, entry: String) {
        self.source = source
        self.entry = entry
    }

    func skip(to offset: Int64) -> Bool {
        position = offset
        return true
    }

    func next(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        do {
            let count = try source.read(at: position, into: buffer)
            position += Int64(count)
            return count
        } catch {
            throw .unreadable(error, entry: entry)
        }
    }
}
