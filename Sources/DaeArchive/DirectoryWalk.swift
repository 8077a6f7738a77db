import DaeCore
import DaeDiagnostics

/// The walk over an archive's directory, front to back, in memory bounded by the budgets.
struct DirectoryWalk {
    private let archive: any ByteSource
    /// Of the first byte after `chunk`.
    private var position: Int64
    private let end: Int64
    private var chunk: [UInt8] = []
    private var used = 0

    private static let chunkBytes = 1 << 16
    /// APPNOTE 4.3.13: a signature may follow the last entry.
    private static let digitalSignature: UInt32 = 0x0505_4B50

    private init(_ archive: any ByteSource, _ end: DirectoryEnd) {
        self.archive = archive
        position = end.offset
        self.end = end.offset + end.size
    }

    /// Every entry, in the directory's order, and where in the archive the records lie whose names are damaged UTF-8.
    static func records(
        of archive: any ByteSource, _ end: DirectoryEnd, limits: ArchiveLimits, decoder: NameDecoder? = nil
    ) throws(CodedFailure) -> (records: [DirectoryRecord], mangled: [Int64]) {
        var walk = DirectoryWalk(archive, end)
        var records: [DirectoryRecord] = []
        // The end record claims no more than the directory's real bytes can hold.
        records.reserveCapacity(min(Int(clamping: end.entries), limits.entryCount))
        var mangled: [Int64] = []
        var bytes: Int64 = 0
        while case let start = end.offset + bytes,
            let record = try walk.next(after: records.count, limits: limits, decoder, bytes: &bytes)
        {
            records.append(record)
            switch record.encoding {
            case .mangledUTF8: mangled.append(start)
            case .known, .unicodeField, .codePage437, .guessed: break
            }
        }
        // Some writers of very many entries keep only the low 16 bits of the number.
        guard records.count & 0xFFFF == Int(end.entries & 0xFFFF) else {
            throw .invalid("its directory has \(records.count) entries and claims \(end.entries)")
        }
        return (records, mangled)
    }

    private mutating func next(
        after index: Int, limits: ArchiveLimits, _ decoder: NameDecoder?, bytes: inout Int64
    ) throws(CodedFailure) -> DirectoryRecord? {
        guard try holds(4), chunk.number32(at: used) != Self.digitalSignature else {
            guard used == chunk.count || chunk.number32(at: used) == Self.digitalSignature else {
                throw .damagedDirectory(entry: index)
            }
            return nil
        }
        guard index < limits.entryCount else { throw .tooManyEntries(limits.entryCount) }
        guard try holds(DirectoryRecord.headerBytes), let lengths = DirectoryRecord.Lengths(chunk, at: used),
            try holds(lengths.total)
        else { throw .damagedDirectory(entry: index) }
        let name = chunk[used + DirectoryRecord.headerBytes..<used + DirectoryRecord.headerBytes + lengths.name]
        guard lengths.name <= limits.nameBytes else {
            throw .longName(String(decoding: name, as: UTF8.self), limit: limits.nameBytes)
        }
        guard !name.contains(0) else { throw .leadsOut(String(decoding: name, as: UTF8.self), "holds a NUL") }
        bytes += Int64(lengths.total)
        guard bytes <= limits.directoryBytes else { throw .largeDirectory(limit: limits.directoryBytes) }
        guard let record = DirectoryRecord(chunk, at: used, lengths, decoder: decoder) else {
            throw .damagedDirectory(entry: index)
        }
        used += lengths.total
        return record
    }

    /// Whether `count` bytes are there from `used` on, which are then in the chunk.
    private mutating func holds(_ count: Int) throws(CodedFailure) -> Bool {
        guard chunk.count - used < count else { return true }
        chunk.removeFirst(used)
        used = 0
        let more = Int(min(Int64(max(Self.chunkBytes, count)), end - position))
        do { chunk += try archive.bytes(at: position, count: more) } catch { throw .unreadable(error) }
        position += Int64(more)
        return chunk.count >= count
    }
}

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
    static func find(in source: any ByteSource) throws(CodedFailure) -> DirectoryEnd {
        let ordinary = Int64(EndRecord.recordBytes + EndRecord.longestComment + EndRecord.locatorBytes)
        for window in [ordinary, ordinary + longestSuffix] {
            if let end = try find(in: EndRecord.Tail(of: source, count: window)) { return end }
            guard window < source.size else { break }
        }
        throw .invalid("its directory was not found at the end; it may be cut off")
    }

    private static func find(in tail: EndRecord.Tail) throws(CodedFailure) -> DirectoryEnd? {
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
    private init?(_ record: EndRecord, in source: any ByteSource) throws(CodedFailure) {
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

    private static func isDirectory(at offset: Int64, in source: any ByteSource) throws(CodedFailure) -> Bool {
        do { return try source.bytes(at: offset, count: 4).number32(at: 0) == DirectoryRecord.signature } catch {
            throw .unreadable(error)
        }
    }
}

/// One record that could be the archive's end record, with its ZIP64 record where it has one (APPNOTE 6.3, sections
/// 4.3.14 to 4.3.16). Nothing of it is believed yet but that the numbers do not claim what no file could hold.
private struct EndRecord {
    /// The last bytes of a source.
    struct Tail {
        let source: any ByteSource
        let start: Int64
        let bytes: [UInt8]

        init(of source: any ByteSource, count: Int64) throws(CodedFailure) {
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
    init?(_ tail: Tail, at index: Int) throws(CodedFailure) {
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
    ) throws(CodedFailure) -> (start: Int64, bytes: [UInt8])? {
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
