import ByteSource

/// The headers before the entries of an archive that is far away: each is read, and held against the directory, only
/// when its entry is.
struct FarHeaders: Sendable {
    private let records: [DirectoryRecord]
    /// Places in `records`, by where the entries lie.
    private let order: [Int]
    /// In `order`, by place in `records`.
    private let ranks: [Int]
    /// Where the directory begins.
    private let end: Int64

    /// - Parameter order: As ``EntryLayout/order(of:end:)`` gives it.
    init(records: [DirectoryRecord], order: [Int], end: Int64) {
        (self.records, self.order, self.end) = (records, order, end)
        var ranks = [Int](repeating: 0, count: records.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        self.ranks = ranks
    }

    /// Where an entry's own bytes begin. What lies between its header and the next entry will be read.
    func dataStart(of index: Int, in archive: any ByteSource) throws(ArchiveError) -> Int64 {
        let rank = ranks[index]
        let next = rank + 1 < order.count ? records[order[rank + 1]] : nil
        let offset = Int64(records[index].headerOffset)
        archive.willRead(offset..<max(offset, next.map { Int64($0.headerOffset) } ?? end))
        var window = HeaderWindow(archive)
        return try EntryLayout.dataStart(of: records[index], before: next, in: &window, end: end)
    }
}

extension Bundle.Archived {
    /// Of an entry's first packed byte.
    func dataStart(of entry: Bundle.Entry.Archived) throws(ArchiveError) -> Int64 {
        switch (entry.start, headers) {
        case (.at(let start), _): return start
        case (.behindHeader, let headers?): return try headers.dataStart(of: entry.index, in: bytes)
        case (.behindHeader, nil): throw .invalid("the entry belongs to another bundle")
        }
    }
}
