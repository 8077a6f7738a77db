import ByteSource

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

    func outcome() throws(ArchiveError) -> Outcome {
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
    ) throws(ArchiveError) -> ZipHandle? {
        let zip = try ZipHandle(mangled.isEmpty ? archive : RelabelledSource(archive, records: mangled))
        guard zip.agrees(with: records) else { throw .ambiguous }
        #if canImport(CISAL)
            if records.allSatisfy(InflatedBytes.reads) { return nil }
        #endif
        return zip
    }

    /// The declared sizes of all, each checked against the budgets.
    private func checkedTotal(_ records: [DirectoryRecord]) throws(ArchiveError) -> Int64 {
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

    private func check(_ record: DirectoryRecord) throws(ArchiveError) {
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
