import ByteSource

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
    ) throws(ArchiveError) -> (records: [DirectoryRecord], mangled: [Int64]) {
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
    ) throws(ArchiveError) -> DirectoryRecord? {
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
    private mutating func holds(_ count: Int) throws(ArchiveError) -> Bool {
        guard chunk.count - used < count else { return true }
        chunk.removeFirst(used)
        used = 0
        let more = Int(min(Int64(max(Self.chunkBytes, count)), end - position))
        do { chunk += try archive.bytes(at: position, count: more) } catch { throw .unreadable(error) }
        position += Int64(more)
        return chunk.count >= count
    }
}
