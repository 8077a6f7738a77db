import ByteSource

/// The inflated bytes of one entry, front to back, wherever they come from.
protocol EntryBytes: AnyObject {
    /// Fills the front of `buffer`, which is not empty; 0 at the end, where all that can be checked was found right.
    func next(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
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
