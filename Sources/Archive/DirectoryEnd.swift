import ByteSource

/// Where an archive lies in its source, and its directory in it.
///
/// Read here before libzip sees the archive, because libzip allocates by the number of entries that it claims.
struct DirectoryEnd: Equatable {
    /// Bytes of the source before the archive, such as a self-extractor's program.
    let prefix: Int64
    /// Bytes of the source from the end of `prefix` to the end of the archive's comment.
    let archiveSize: Int64
    /// Of the directory, in the archive.
    let offset: Int64
    /// Bytes, at least `46 × entries`.
    let size: Int64
    let entries: UInt64

    /// Bytes behind the archive's comment are looked past up to here.
    private static let longestSuffix: Int64 = 1 << 20
    /// What could be an end and is none, before the search is given up: each may cost a request where the source is far
    /// away.
    private static let mostFailures = 256

    /// The last record in the source that holds together; every other that could be taken for one must at least
    /// claim no more entries than fit.
    static func find(in source: any ByteSource) throws(ArchiveError) -> DirectoryEnd {
        let ordinary = Int64(EndRecord.recordBytes + EndRecord.longestComment + EndRecord.locatorBytes)
        for window in [ordinary, ordinary + longestSuffix] {
            if let end = try find(in: EndRecord.Tail(of: source, count: window)) { return end }
            guard window < source.size else { break }
        }
        throw .invalid("its directory was not found at the end; it may be cut off")
    }

    private static func find(in tail: EndRecord.Tail) throws(ArchiveError) -> DirectoryEnd? {
        var found: DirectoryEnd?
        var failures = 0
        var end = tail.bytes.count - EndRecord.recordBytes + 1
        while let index = tail.lastStart(before: end) {
            end = index
            guard let record = try EndRecord(tail, at: index) else { continue }
            guard let known = found else {
                found = try DirectoryEnd(record, in: tail.source)
                if found == nil { failures += 1 }
                guard failures < mostFailures else {
                    throw .invalid("its end holds \(failures) records of a directory that is not there")
                }
                continue
            }
            // Where a comment that ends with the source holds the record found, other readers take the former.
            guard record.end == tail.source.size, let other = try DirectoryEnd(record, in: tail.source) else {
                continue
            }
            guard other.prefix + other.offset == known.prefix + known.offset, other.size == known.size else {
                throw .ambiguous
            }
        }
        return found
    }

    /// `nil` where no directory lies where the record says, in an archive that may begin behind other bytes.
    private init?(_ record: EndRecord, in source: any ByteSource) throws(ArchiveError) {
        guard let offset = Int64(exactly: record.offset), let size = Int64(exactly: record.size) else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard !overflow, end <= record.position, record.entries <= record.size / UInt64(DirectoryRecord.headerBytes)
        else { return nil }
        let gap = record.position - end
        if gap == 0 {
            prefix = 0
        } else if size == 0 {
            prefix = gap
        } else {
            switch (
                try Self.isDirectory(at: offset, in: source), try Self.isDirectory(at: offset + gap, in: source)
            ) {
            case (true, true): throw .ambiguous
            case (true, false): prefix = 0
            case (false, true): prefix = gap
            case (false, false): return nil
            }
        }
        guard record.isWhole else { throw .part(nil) }
        (self.offset, self.size, entries) = (offset, size, record.entries)
        archiveSize = record.end - prefix
        guard prefix > 0 else { return }
        let first: [UInt8]
        do { first = try source.bytes(at: 0, count: 4) } catch { throw .unreadable(error) }
        guard first.number32(at: 0) != LocalHeader.signature else {
            throw .invalid("its end belongs to another archive, within it or behind it; it may be cut off")
        }
    }

    private static func isDirectory(at offset: Int64, in source: any ByteSource) throws(ArchiveError) -> Bool {
        do { return try source.bytes(at: offset, count: 4).number32(at: 0) == DirectoryRecord.signature } catch {
            throw .unreadable(error)
        }
    }
}
