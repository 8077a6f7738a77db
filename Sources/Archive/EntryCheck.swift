/// Holds every entry of an archive against the budgets and refusals, before a byte is inflated.
enum EntryCheck {
    /// The files of the archive, in its order.
    static func entries(
        of zip: ZipHandle, scan: DirectoryScan, archiveSize: Int64, limits: ArchiveLimits
    ) throws(ArchiveError) -> [Bundle.Entry] {
        guard zip.count == scan.nameBytes.count else { throw ambiguous }
        let budget = limits.inflatedBytes.bytes(forArchiveOf: archiveSize)
        var total: UInt64 = 0
        var entries: [Bundle.Entry] = []
        for index in 0..<zip.count {
            let record = try zip.record(at: index)
            guard record.rawNameBytes == Int(scan.nameBytes[index]) else { throw ambiguous }
            let name = try EntryName(checking: record.name, nameBytes: limits.nameBytes)
            try check(record, archiveSize: archiveSize, limits: limits)
            let (sum, overflow) = total.addingReportingOverflow(record.size)
            guard !overflow, sum <= UInt64(clamping: budget) else { throw .tooManyBytes(budget, entry: record.name) }
            total = sum
            guard case .file(let path) = name, !record.isFolder else { continue }
            entries.append(
                Bundle.Entry(
                    path: path, size: Int64(record.size), compressedSize: Int64(record.compressedSize),
                    method: record.method, crc32: record.crc32, location: .archived(index: index)))
        }
        return entries
    }

    /// After this both sizes fit into `Int64` but for the total, which the caller bounds.
    private static func check(
        _ record: ZipRecord, archiveSize: Int64, limits: ArchiveLimits
    ) throws(ArchiveError) {
        let name = record.name
        if let kind = record.specialKind { throw .special(name, kind) }
        guard !record.isEncrypted else { throw .encrypted(name) }
        guard ZipHandle.inflates(record.method) else { throw .unknownMethod(name, record.method) }
        guard record.compressedSize <= UInt64(archiveSize) else {
            throw .invalid(
                "the entry claims \(record.compressedSize) bytes of an archive that has \(archiveSize)", entry: name)
        }
        if record.size > UInt64(clamping: limits.ratioThreshold) {
            let (most, overflow) = record.compressedSize.multipliedReportingOverflow(by: UInt64(clamping: limits.ratio))
            guard overflow || record.size <= most else {
                throw .ratio(name, size: record.size, compressed: record.compressedSize, limit: limits.ratio)
            }
        }
    }

    private static var ambiguous: ArchiveError { .invalid("its directory can be read in two ways") }
}
