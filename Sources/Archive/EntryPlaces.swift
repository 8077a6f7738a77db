import Diagnostics

/// Where the entries of a bundle are, by their paths, and which of them collide.
struct EntryPlaces {
    private let entries: [Bundle.Entry]
    /// The first of those that are the same but for case and Unicode form, by the hash of what they have in common: a
    /// hundred thousand names need not be held twice.
    private var first: [Int: Int32] = [:]
    /// All others.
    private var others: [PathKey: Int32] = [:]

    init(_ entries: [Bundle.Entry], log: inout FindingLog) {
        self.entries = entries
        // What stands alone is found by a look at it.
        guard entries.count > 1 else { return }
        first.reserveCapacity(entries.count)
        var folding = PathFolding()
        for (index, entry) in entries.enumerated() {
            let key = folding.hash(of: entry.path)
            guard let former = first.updateValue(Int32(clamping: index), forKey: key) else { continue }
            first[key] = former
            add(index, beside: Int(former), &log)
        }
    }

    /// In the bundle's entries: the first of exactly this path, byte by byte.
    subscript(path: String) -> Int? {
        guard entries.count > 1 else { return entries.first.flatMap { $0.path.hasBytes(of: path) ? 0 : nil } }
        var folding = PathFolding()
        guard let index = first[folding.hash(of: path)].map(Int.init) else { return nil }
        return entries[index].path.hasBytes(of: path) ? index : others[PathKey(text: path)].map(Int.init)
    }

    private mutating func add(_ index: Int, beside former: Int, _ log: inout FindingLog) {
        let (path, other) = (entries[index].path, entries[former].path)
        let key = PathKey(text: path)
        guard !path.hasBytes(of: other), others[key] == nil else {
            log.add(
                .archiveDuplicateEntry, at: Place(entry: path),
                "a second entry is called \(ArchiveError.shown(path)); the first one is used",
                arguments: [.init("name", path)])
            return
        }
        others[key] = Int32(clamping: index)
        // Strings are equal in any Unicode form.
        guard path.lowercased() == other.lowercased() else { return }
        log.add(
            .archiveCaseCollision, at: Place(entry: path),
            """
            \(ArchiveError.shown(path)) and \(ArchiveError.shown(other)) differ only in case or Unicode form; on \
            some systems they are one file
            """,
            arguments: [.init("name", path), .init("other", other)], related: [Place(entry: other)])
    }
}

/// A path by its bytes: `String` would take composed and decomposed letters as equal.
private struct PathKey: Hashable {
    let text: String

    static func == (one: PathKey, other: PathKey) -> Bool { one.text.hasBytes(of: other.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Hashes paths so that those have one hash which differ only in case or Unicode form.
private struct PathFolding {
    private var small: [UInt8] = []

    mutating func hash(of path: String) -> Int {
        if let hash = ascii(path) { return hash }
        let folded = path.lowercased()
        if let hash = ascii(folded) { return hash }
        var hasher = Hasher()
        hasher.combine(folded)
        return hasher.finalize()
    }

    /// `nil` where there are other letters.
    private mutating func ascii(_ path: String) -> Int? {
        small.removeAll(keepingCapacity: true)
        var path = path
        let isASCII = path.withUTF8 { bytes in
            small.append(contentsOf: bytes)
            return bytes.allSatisfy { $0 < 0x80 }
        }
        guard isASCII else { return nil }
        for index in small.indices where (0x41...0x5A).contains(small[index]) { small[index] |= 0x20 }
        var hasher = Hasher()
        small.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

extension String {
    fileprivate func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
