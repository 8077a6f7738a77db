import DaeCore
import DaeDiagnostics

/// Holds every entry of an archive against the budgets and refusals, before a byte is inflated.
struct EntryCheck {
    let archive: any ByteSource
    let end: DirectoryEnd
    let limits: ArchiveLimits
    /// For names that are no UTF-8; without it these are read as code page 437.
    var decoder: NameDecoder?

    /// What was found: the files of the archive, in its order, and the handle that reads them.
    struct Outcome {
        /// `nil` where every entry is read without libzip, which holds half a kilobyte for each.
        var zip: ZipHandle?
        var entries: [Bundle.Entry] = []
        /// Whose names are not in UTF-8, by their place in `entries`.
        var oddNames: [(index: Int, encoding: RawName.Encoding)] = []
        /// The bytes of those of them that are read as code page 437.
        var rawNames: [[UInt8]] = []
        /// How many names have back-slashes between folders, and the first of those entries.
        var backslashes = (count: 0, first: "")
        /// Bytes that the entries inflate to in all.
        var inflatedBytes: Int64 = 0
        /// Before the first entry.
        var unusedBytes: Int64 = 0
        /// `nil` where every entry's own header was read.
        var headers: FarHeaders?
    }

    func outcome() throws(CodedFailure) -> Outcome {
        let (records, mangled) = try DirectoryWalk.records(
            of: archive, end, limits: limits, decoder: decoder)
        for record in records {
            _ = try EntryName(checking: record.name, nameBytes: limits.nameBytes)
            if let kind = record.specialKind { throw .special(record.name, kind) }
        }
        let order = try EntryLayout.order(of: records, end: end.offset)
        let total = try checkedTotal(records)
        var starts: [Int64]?
        var headers: FarHeaders?
        switch archive.distance {
        case .here: starts = try EntryLayout.dataStarts(of: records, order: order, in: archive, end: end.offset)
        case .far: headers = FarHeaders(records: records, order: order, end: end.offset)
        }
        var outcome = Outcome(zip: try agreeingHandle(records, mangled), inflatedBytes: total)
        outcome.headers = headers
        outcome.entries.reserveCapacity(records.count)
        outcome.unusedBytes = order.first.map { Int64(clamping: records[$0].headerOffset) } ?? 0
        for (index, record) in records.enumerated() {
            guard case .file(let path) = try EntryName(checking: record.name, nameBytes: limits.nameBytes),
                !record.isFolder
            else { continue }
            switch record.encoding {
            case .known, .unicodeField: break
            case .codePage437:
                outcome.oddNames.append((outcome.entries.count, record.encoding))
                outcome.rawNames.append(record.rawName)
            case .guessed, .mangledUTF8: outcome.oddNames.append((outcome.entries.count, record.encoding))
            }
            // A name as it should be is its path.
            if path.utf8.count != record.name.utf8.count || path != record.name,
                record.name.utf8.contains(UInt8(ascii: "\\"))
            {
                if outcome.backslashes.count == 0 { outcome.backslashes.first = path }
                outcome.backslashes.count += 1
            }
            outcome.entries.append(
                Bundle.Entry(
                    path: path, record, .init(index: index, start: starts.map { .at($0[index]) } ?? .behindHeader)))
        }
        return outcome
    }

    private func agreeingHandle(
        _ records: [DirectoryRecord], _ mangled: [Int64]
    ) throws(CodedFailure) -> ZipHandle? {
        let zip = try ZipHandle(mangled.isEmpty ? archive : RelabelledSource(archive, records: mangled))
        guard zip.agrees(with: records) else { throw .ambiguous }
        #if canImport(CISAL)
            if records.allSatisfy(InflatedBytes.reads) { return nil }
        #endif
        return zip
    }

    /// The declared sizes of all, each checked against the budgets.
    private func checkedTotal(_ records: [DirectoryRecord]) throws(CodedFailure) -> Int64 {
        let budget = max(0, limits.inflatedBytes.bytes(forArchiveOf: archive.size))
        var total: Int64 = 0
        for record in records {
            try check(record)
            guard let size = Int64(exactly: record.size),
                case let (sum, overflow) = total.addingReportingOverflow(size),
                !overflow, sum <= budget
            else { throw .tooManyBytes(budget, entry: record.name) }
            total = sum
        }
        return total
    }

    private func check(_ record: DirectoryRecord) throws(CodedFailure) {
        let name = record.name
        // libzip opens no archive that has an entry of this kind.
        guard !record.hasUnknownAES else { throw .unknownEncryption(name) }
        if record.size > UInt64(clamping: limits.ratioThreshold) {
            let (most, overflow) = record.compressedSize.multipliedReportingOverflow(by: UInt64(clamping: limits.ratio))
            guard overflow || record.size <= most else {
                throw .ratio(name, size: record.size, compressed: record.compressedSize, limit: limits.ratio)
            }
        }
    }
}

/// Where the entries' bytes lie in the archive: each behind its own header, no byte in two of them.
private enum EntryLayout {
    /// Places in `records` by where the entries lie; refused where entries share bytes by what the directory says.
    ///
    /// - Parameter end: Where the directory begins, which no entry reaches.
    static func order(of records: [DirectoryRecord], end: Int64) throws(CodedFailure) -> [Int] {
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
    ) throws(CodedFailure) -> [Int64] {
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
    ) throws(CodedFailure) -> Int64 {
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
private struct HeaderWindow {
    private let source: any ByteSource
    private(set) var chunk: [UInt8] = []
    private var start: Int64 = 0
    private static let nearBytes = 1 << 14
    private static let farBytes = 512

    init(_ source: any ByteSource) { self.source = source }

    /// Where in the chunk the `count` bytes from `offset` on begin; `nil` where the source ends before.
    mutating func load(_ count: Int, at offset: Int64) throws(CodedFailure) -> Int? {
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
    func dataStart(of index: Int, in archive: any ByteSource) throws(CodedFailure) -> Int64 {
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
    func dataStart(of entry: Bundle.Entry.Archived) throws(CodedFailure) -> Int64 {
        switch (entry.start, headers) {
        case (.at(let start), _): return start
        case (.behindHeader, let headers?): return try headers.dataStart(of: entry.index, in: bytes)
        case (.behindHeader, nil): throw .invalid("the entry belongs to another bundle")
        }
    }
}

/// An archive in whose directory some names are not called UTF-8 any more.
///
/// libzip refuses a whole archive for one name that is said to be UTF-8 and is not; without the flag it takes the name
/// for what it is. Nothing else of the entry depends on the flag.
private struct RelabelledSource: ByteSource {
    private let base: any ByteSource
    /// Of the bytes that hold the flag, ascending.
    private let places: [Int64]
    private static let utf8Flag: UInt8 = 0x08

    /// - Parameter records: Where the records of these names begin, ascending.
    init(_ base: any ByteSource, records: [Int64]) {
        self.base = base
        places = records.map { $0 + 9 }
    }

    var size: Int64 { base.size }

    var distance: ByteDistance { base.distance }

    func willRead(_ range: Range<Int64>) { base.willRead(range) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let count = try base.read(at: offset, into: buffer)
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < offset { low = middle + 1 } else { high = middle }
        }
        while low < places.count, places[low] < offset + Int64(count) {
            buffer[Int(places[low] - offset)] &= ~Self.utf8Flag
            low += 1
        }
        return count
    }
}
