import ByteSource

/// Where the entries' bytes lie in the archive: each behind its own header, no byte in two of them.
enum EntryLayout {
    /// Places in `records` by where the entries lie; refused where entries share bytes by what the directory says.
    ///
    /// - Parameter end: Where the directory begins, which no entry reaches.
    static func order(of records: [DirectoryRecord], end: Int64) throws(ArchiveError) -> [Int] {
        var order = Array(records.indices)
        let isSorted = order.dropLast().allSatisfy { records[$0].headerOffset <= records[$0 + 1].headerOffset }
        if !isSorted { order.sort { (records[$0].headerOffset, $0) < (records[$1].headerOffset, $1) } }
        for (place, index) in order.enumerated() {
            let record = records[index]
            let least = UInt64(LocalHeader.headerBytes + record.rawNameBytes)
            let (dataStart, far) = record.headerOffset.addingReportingOverflow(least)
            let (dataEnd, farther) = dataStart.addingReportingOverflow(record.compressedSize)
            guard !far, dataStart <= UInt64(end) else { throw .outside(record.name) }
            if place + 1 < order.count {
                let next = records[order[place + 1]]
                guard dataStart <= next.headerOffset, farther || dataEnd <= next.headerOffset || dataEnd > UInt64(end)
                else { throw .overlap(record.name, next.name) }
            }
            guard !farther, dataEnd <= UInt64(end) else { throw .outside(record.name) }
        }
        return order
    }

    /// Where each entry's own bytes begin, for `records` that ``order(of:end:)`` has passed.
    static func dataStarts(
        of records: [DirectoryRecord], order: [Int], in archive: any ByteSource, end: Int64
    ) throws(ArchiveError) -> [Int64] {
        var starts = [Int64](repeating: 0, count: records.count)
        var window = HeaderWindow(archive)
        for (place, index) in order.enumerated() {
            let record = records[index]
            let next = place + 1 < order.count ? records[order[place + 1]] : nil
            starts[index] = try dataStart(of: record, before: next, in: &window, end: end)
        }
        return starts
    }

    /// Where one entry's own bytes begin, by its header.
    ///
    /// - Parameter next: The entry that lies behind it, if there is one.
    static func dataStart(
        of record: DirectoryRecord, before next: DirectoryRecord?, in window: inout HeaderWindow, end: Int64
    ) throws(ArchiveError) -> Int64 {
        let offset = Int64(record.headerOffset)
        guard let short = try window.load(LocalHeader.headerBytes, at: offset),
            let header = LocalHeader(window.chunk, at: short)
        else { throw .invalid("there is no header where the directory says", entry: record.name) }
        guard header.nameBytes == record.rawNameBytes else { throw .contradiction(record.name, "name") }
        guard let whole = try window.load(header.totalBytes, at: offset) else { throw .outside(record.name) }
        if let what = header.contradiction(to: record, window.chunk, at: whole) {
            throw .contradiction(record.name, what)
        }
        let start = offset + Int64(header.totalBytes)
        guard start + Int64(record.compressedSize) <= next.map({ Int64($0.headerOffset) }) ?? end else {
            throw next.map { .overlap(record.name, $0.name) } ?? .outside(record.name)
        }
        return start
    }
}

/// Reads headers that mostly follow each other: many at once where they lie close together.
struct HeaderWindow {
    private let source: any ByteSource
    private(set) var chunk: [UInt8] = []
    private var start: Int64 = 0
    private static let nearBytes = 1 << 14
    private static let farBytes = 512

    init(_ source: any ByteSource) { self.source = source }

    /// Where in the chunk the `count` bytes from `offset` on begin; `nil` where the source ends before.
    mutating func load(_ count: Int, at offset: Int64) throws(ArchiveError) -> Int? {
        let end = start + Int64(chunk.count)
        if offset >= start, offset + Int64(count) <= end { return Int(offset - start) }
        let isNear = !chunk.isEmpty && offset >= start && offset - end < Int64(Self.nearBytes)
        do {
            chunk = try source.bytes(at: offset, count: max(count, isNear ? Self.nearBytes : Self.farBytes))
        } catch { throw .unreadable(error) }
        start = offset
        return chunk.count >= count ? 0 : nil
    }
}
