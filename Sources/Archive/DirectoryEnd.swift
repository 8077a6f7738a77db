import ByteSource

/// The record at an archive's end that says where its directory lies (APPNOTE 6.3, sections 4.3.14 to 4.3.16).
///
/// Read here before libzip sees the archive, because libzip allocates by the number of entries that it claims.
struct DirectoryEnd: Hashable {
    /// Bytes, checked to lie in the source, before this record.
    let offset: Int64
    /// Bytes, at least `46 × entries`.
    let size: Int64
    /// As claimed; some writers of more than 65,535 entries keep only the low 16 bits.
    let entries: UInt64

    private static let recordBytes = 22
    private static let locatorBytes = 20
    private static let longestComment = 65_535
    static let headerBytes = 46

    /// The last record in the source that holds together; every other that could be taken for one must at least
    /// claim no more entries than fit.
    static func find(in source: any ByteSource) throws(ArchiveError) -> DirectoryEnd {
        let tailBytes = Int(min(source.size, Int64(recordBytes + longestComment + locatorBytes)))
        let tailStart = source.size - Int64(tailBytes)
        let tail: [UInt8]
        do { tail = try source.bytes(at: tailStart, count: tailBytes) } catch { throw .unreadable(error) }

        var found: DirectoryEnd?
        var position = tail.count - recordBytes
        while position >= 0 {
            defer { position -= 1 }
            guard tail[position] == 0x50, tail.number32(at: position) == 0x0605_4B50 else { continue }
            let end = try DirectoryEnd(tail: tail, at: position, tailStart: tailStart, source: source)
            found = found ?? end
        }
        guard let found else {
            throw .invalid("its directory was not found at the end; it may be cut off")
        }
        return found
    }

    /// `nil` where the record points outside the source; throws where it claims what cannot be.
    private init?(
        tail: [UInt8], at position: Int, tailStart: Int64, source: any ByteSource
    ) throws(ArchiveError) {
        var entries = UInt64(tail.number16(at: position + 10) ?? 0)
        var size = UInt64(tail.number32(at: position + 12) ?? 0)
        var offset = UInt64(tail.number32(at: position + 16) ?? 0)
        var limit = UInt64(tailStart + Int64(position))

        let locator = position - Self.locatorBytes
        if tail.number32(at: locator) == 0x0706_4B50, let at = tail.number64(at: locator + 8), at < limit {
            let record: [UInt8]
            do { record = try source.bytes(at: Int64(at), count: 56) } catch { throw .unreadable(error) }
            if record.number32(at: 0) == 0x0606_4B50, let long = record.number64(at: 32) {
                entries = long
                size = record.number64(at: 40) ?? .max
                offset = record.number64(at: 48) ?? .max
                limit = at
                guard entries <= limit / UInt64(Self.headerBytes) else {
                    throw .invalid("its directory claims \(entries) entries, more than the file can hold")
                }
            }
        }
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard !overflow, end <= limit, entries <= size / UInt64(Self.headerBytes) else { return nil }
        self.offset = Int64(offset)
        self.size = Int64(size)
        self.entries = entries
    }
}
