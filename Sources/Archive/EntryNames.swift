import Diagnostics

/// A path by its bytes: `String` would take composed and decomposed letters as equal.
struct PathKey: Hashable {
    let text: String

    static func == (one: PathKey, other: PathKey) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The names of a bundle's entries together: which is where, which collide, which are no content.
enum EntryNames {
    /// Places in `entries` by path, the first of several.
    static func places(of entries: [Bundle.Entry], log: inout FindingLog) -> [PathKey: Int] {
        var places: [PathKey: Int] = [:]
        places.reserveCapacity(entries.count)
        // By the hash alone: a hundred thousand names need not be held twice.
        var folded: [Int: Int32] = [:]
        folded.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let path = entry.path
            guard places[PathKey(text: path)] == nil else {
                log.add(
                    .archiveDuplicateEntry, at: Place(entry: path),
                    "a second entry is called \(ArchiveError.shown(path)); the first one is used",
                    arguments: [.init("name", path)])
                continue
            }
            places[PathKey(text: path)] = index
            let key = path.lowercased()
            guard let former = folded.updateValue(Int32(clamping: index), forKey: key.hashValue) else { continue }
            folded[key.hashValue] = former
            let other = entries[Int(former)].path
            // Strings are equal in any Unicode form.
            guard key == other.lowercased() else { continue }
            log.add(
                .archiveCaseCollision, at: Place(entry: path),
                """
                \(ArchiveError.shown(path)) and \(ArchiveError.shown(other)) differ only in case or Unicode form; on \
                some systems they are one file
                """,
                arguments: [.init("name", path), .init("other", other)], related: [Place(entry: other)])
        }
        return places
    }

    /// One finding for all entries that are no content.
    static func tellJunk(in entries: [Bundle.Entry], log: inout FindingLog) {
        var first: String?
        var count = 0
        for entry in entries where entry.isJunk {
            first = first ?? entry.path
            count += 1
        }
        guard let first else { return }
        log.add(
            .archiveJunkEntry, at: Place(entry: first),
            count == 1
                ? "one entry was left behind by a file manager; it is no content"
                : "\(count) entries were left behind by a file manager; they are no content",
            arguments: [.init("count", String(count))])
    }

    static func tellEncodings(_ outcome: EntryCheck.Outcome, log: inout FindingLog) {
        for (index, encoding) in outcome.oddNames {
            let path = outcome.entries[index].path
            let how =
                switch encoding {
                case .known, .unicodeField: "UTF-8"
                case .codePage437: "not UTF-8; it is read as code page 437"
                case .mangledUTF8: "said to be UTF-8 and damaged; what could not be read is replaced"
                }
            log.add(
                .archiveNameEncoding, at: Place(entry: path), "the name \(ArchiveError.shown(path)) is \(how)",
                arguments: [.init("name", path)])
        }
    }
}
