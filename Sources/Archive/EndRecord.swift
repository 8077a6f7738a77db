import ByteSource

/// One record that could be the archive's end record, with its ZIP64 record where it has one (APPNOTE 6.3, sections
/// 4.3.14 to 4.3.16). Nothing of it is believed yet but that the numbers do not claim what no file could hold.
struct EndRecord {
    /// The last bytes of a source.
    struct Tail {
        let source: any ByteSource
        let start: Int64
        let bytes: [UInt8]

        init(of source: any ByteSource, count: Int64) throws(ArchiveError) {
            self.source = source
            start = max(0, source.size - count)
            do { bytes = try source.bytes(at: start, count: Int(source.size - start)) } catch {
                throw .unreadable(error)
            }
        }

        /// The last byte before `end` that a record may begin with.
        func lastStart(before end: Int) -> Int? { end > 0 ? bytes[..<end].lastIndex(of: 0x50) : nil }
    }

    static let recordBytes = 22
    static let locatorBytes = 20
    static let longestComment = 65_535
    private static let longRecordBytes = 56

    /// In the source: where the directory must have ended, and the first byte behind the comment.
    let position: Int64
    let end: Int64
    /// As claimed, counted from the archive's first byte.
    private(set) var offset: UInt64
    private(set) var size: UInt64
    /// As claimed; some writers of more than 65,535 entries keep only the low 16 bits.
    private(set) var entries: UInt64
    /// Whether it says that the archive lies in one file.
    let isWhole: Bool

    /// `nil` where there is none at `index` of the tail or its comment is cut off.
    init?(_ tail: Tail, at index: Int) throws(ArchiveError) {
        let bytes = tail.bytes
        guard bytes.number32(at: index) == 0x0605_4B50,
            let disk = bytes.number16(at: index + 4), let shortEntries = bytes.number16(at: index + 10),
            let shortSize = bytes.number32(at: index + 12), let shortOffset = bytes.number32(at: index + 16),
            let comment = bytes.number16(at: index + 20)
        else { return nil }
        let end = index + Self.recordBytes + Int(comment)
        guard end <= bytes.count else { return nil }
        self.end = tail.start + Int64(end)
        (entries, size, offset) = (UInt64(shortEntries), UInt64(shortSize), UInt64(shortOffset))
        isWhole = disk == 0 || disk == .max

        let locator = index - Self.locatorBytes
        guard bytes.number32(at: locator) == 0x0706_4B50, let claimed = bytes.number64(at: locator + 8),
            let (start, record) = try Self.longRecord(in: tail, before: locator, claimed: claimed),
            let entries = record.number64(at: 32), let size = record.number64(at: 40),
            let offset = record.number64(at: 48)
        else {
            position = tail.start + Int64(index)
            return
        }
        guard entries <= UInt64(start) / UInt64(DirectoryRecord.headerBytes) else {
            throw .invalid("its directory claims \(entries) entries, more than the file can hold")
        }
        // Two records that both mean what they say must say the same.
        guard shortSize == .max || UInt64(shortSize) == size, shortOffset == .max || UInt64(shortOffset) == offset
        else { throw .ambiguous }
        position = start
        (self.entries, self.size, self.offset) = (entries, size, offset)
    }

    /// The ZIP64 record where the locator says, or, for an archive that does not begin where its source does, right
    /// before the locator.
    private static func longRecord(
        in tail: Tail, before locator: Int, claimed: UInt64
    ) throws(ArchiveError) -> (start: Int64, bytes: [UInt8])? {
        let last = tail.start + Int64(locator) - Int64(longRecordBytes)
        for start in [Int64(exactly: claimed), last] {
            guard let start, start >= 0, start <= last else { continue }
            let bytes: [UInt8]
            do { bytes = try tail.source.bytes(at: start, count: longRecordBytes) } catch { throw .unreadable(error) }
            if bytes.number32(at: 0) == 0x0606_4B50 { return (start, bytes) }
        }
        return nil
    }
}
