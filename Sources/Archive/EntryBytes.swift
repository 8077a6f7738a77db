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

/// An entry that libzip inflates and decrypts, and whose CRC-32 it checks.
///
/// A class because it owns libzip's open file.
final class LibzipBytes: EntryBytes {
    private let zip: ZipHandle
    private let file: OpaquePointer
    private let entry: String

    init(_ zip: ZipHandle, index: Int, password: String?, entry: String) throws(ArchiveError) {
        self.zip = zip
        self.entry = entry
        file = try zip.open(index, password: password, entry: entry)
    }

    deinit { zip.close(file) }

    func next(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        try zip.read(file, into: buffer, entry: entry)
    }
}
