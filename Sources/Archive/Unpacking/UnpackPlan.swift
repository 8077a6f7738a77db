import Diagnostics

/// What of a bundle is unpacked, known to be files and folders that can stand side by side.
struct UnpackPlan {
    let entries: [Bundle.Entry]

    /// - Parameter entries: Each path once.
    init(_ entries: [Bundle.Entry], limits: ArchiveLimits) throws(UnpackError) {
        self.entries = entries
        do throws(ArchiveError) {
            if try Self.mayClash(entries, limits: limits) { try Self.checkSorted(entries) }
        } catch {
            throw UnpackError(error)
        }
    }

    /// Whether a file may be called like a folder: told by hashes alone, so that a deep path costs no more than a long
    /// one.
    private static func mayClash(_ entries: [Bundle.Entry], limits: ArchiveLimits) throws(ArchiveError) -> Bool {
        let seed = UInt64.random(in: 0 ... .max)
        var folders: Set<UInt64> = []
        var files: [UInt64] = []
        files.reserveCapacity(entries.count)
        for entry in entries {
            let path = entry.unpackedPath
            var hash = seed
            var start = 0
            for (index, byte) in path.enumerated() {
                if byte == UInt8(ascii: "/") {
                    try check(path[start..<index], of: entry)
                    folders.insert(hash)
                    start = index + 1
                }
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            try check(path[start...], of: entry)
            files.append(hash)
            guard folders.count <= limits.entryCount else { throw .tooManyEntries(limits.entryCount) }
        }
        return files.contains { folders.contains($0) }
    }

    private static func check(_ component: ArraySlice<UInt8>, of entry: Bundle.Entry) throws(ArchiveError) {
        guard component.first == UInt8(ascii: "."), PartialFolder.isName(component) else { return }
        throw ArchiveError(
            .archiveInvalid, entry: entry.path,
            "the entry is called as a folder that is being unpacked, which would be taken for what was left of one")
    }

    private static func checkSorted(_ entries: [Bundle.Entry]) throws(ArchiveError) {
        let slash = UInt8(ascii: "/")
        // With the slash before all other bytes, what lies in a folder follows at once on a file of its name.
        let paths = entries.map { $0.unpackedPath.map { $0 == slash ? 0 : $0 } }
            .sorted { $0.lexicographicallyPrecedes($1) }
        for (file, next) in zip(paths, paths.dropFirst())
        where next.count > file.count && next.starts(with: file) && next[file.count] == 0 {
            let path = String(decoding: file.map { $0 == 0 ? slash : $0 }, as: UTF8.self)
            throw ArchiveError(
                .archiveInvalid, entry: path, "the bundle holds a file and a folder of this name; only one can be")
        }
    }
}

extension Bundle.Entry {
    /// The path as it is written: its own bytes where those are no UTF-8.
    var unpackedPath: [UInt8] {
        if case .file(let rawPath?) = location { return rawPath }
        return Array(path.utf8)
    }
}
