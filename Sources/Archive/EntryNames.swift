import Diagnostics

/// What is odd about the names of a bundle's entries: which are no content, which are written in another encoding.
enum EntryNames {
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

    /// One finding for all entries whose folders are parted by back-slashes.
    static func tellBackslashes(_ outcome: EntryCheck.Outcome, log: inout FindingLog) {
        let (count, first) = outcome.backslashes
        guard count > 0 else { return }
        log.add(
            .quirkEntryBackslash, at: Place(entry: first),
            count == 1
                ? "the name of an entry has back-slashes, which were taken for slashes"
                : "the names of \(count) entries have back-slashes, which were taken for slashes",
            arguments: [.init("count", String(count))])
    }

    static func tellEncodings(_ outcome: EntryCheck.Outcome, log: inout FindingLog) {
        for (index, encoding) in outcome.oddNames {
            let path = outcome.entries[index].path
            let how =
                switch encoding {
                case .known, .unicodeField: "UTF-8"
                case .codePage437: "not UTF-8; it is read as code page 437"
                case .guessed(let page):
                    "not UTF-8; it is read as \(page.title), in which names are found that the documents have: a guess"
                case .mangledUTF8: "said to be UTF-8 and damaged; what could not be read is replaced"
                }
            log.add(
                .archiveNameEncoding, at: Place(entry: path), "the name \(ArchiveError.shown(path)) is \(how)",
                arguments: [.init("name", path)])
        }
    }
}
