import ByteSource

/// A first walk over the archive's directory, for what libzip does not tell: how many entries there really are, and
/// how long their names are before C cuts them at a NUL.
struct DirectoryScan {
    /// UTF-8 or other bytes in the name of each entry, in the directory's order.
    private(set) var nameBytes: [UInt16] = []

    init(_ source: any ByteSource, limits: ArchiveLimits) throws(ArchiveError) {
        let end = try DirectoryEnd.find(in: source)
        var window = Window(source: source, position: end.offset, end: end.offset + end.size)
        while let header = try window.next(DirectoryEnd.headerBytes) {
            let index = nameBytes.count
            guard index < limits.entryCount else { throw .tooManyEntries(limits.entryCount) }
            guard header.number32(at: 0) == 0x0201_4B50, let nameCount = header.number16(at: 28),
                let extraCount = header.number16(at: 30), let commentCount = header.number16(at: 32),
                let name = try window.next(Int(nameCount)),
                try window.next(Int(extraCount) + Int(commentCount)) != nil
            else { throw .invalid("its directory is damaged at entry \(index)") }
            let text = String(decoding: name, as: UTF8.self)
            guard Int(nameCount) <= limits.nameBytes else { throw .longName(text, limit: limits.nameBytes) }
            guard !name.contains(0) else { throw .leadsOut(text, "holds a NUL") }
            nameBytes.append(nameCount)
        }
        // Some writers of very many entries keep only the low 16 bits of the number.
        guard nameBytes.count & 0xFFFF == Int(end.entries & 0xFFFF) else {
            throw .invalid("its directory has \(nameBytes.count) entries and claims \(end.entries)")
        }
    }
}

/// Hands out the directory piece by piece, reading ahead in chunks.
private struct Window {
    private let source: any ByteSource
    /// Of the first byte after `chunk`.
    private var position: Int64
    private let end: Int64
    private var chunk: [UInt8] = []
    private var used = 0

    init(source: any ByteSource, position: Int64, end: Int64) {
        self.source = source
        self.position = position
        self.end = end
    }

    /// The next `count` bytes; `nil` where fewer are left.
    mutating func next(_ count: Int) throws(ArchiveError) -> [UInt8]? {
        if chunk.count - used < count {
            chunk.removeFirst(used)
            used = 0
            let more = Int(min(Int64(max(1 << 16, count)), end - position))
            do { chunk += try source.bytes(at: position, count: more) } catch { throw .unreadable(error) }
            position += Int64(more)
        }
        guard chunk.count - used >= count else { return nil }
        defer { used += count }
        return Array(chunk[used..<used + count])
    }
}
