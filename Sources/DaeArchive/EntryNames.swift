import DaeCore
import DaeDiagnostics

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
                .archiveNameEncoding, at: Place(entry: path), "the name \(path.printable(limit: 200)) is \(how)",
                arguments: [.init("name", path)])
        }
    }
}

/// The name of an archive's entry once it is known to lead nowhere but below the bundle.
enum EntryName: Hashable {
    case file(String)
    case folder

    /// Back-slashes part folders as slashes do (archivers on Windows write them); `./` and double slashes collapse.
    init(checking name: String, nameBytes: Int) throws(CodedFailure) {
        guard name.utf8.count <= nameBytes else { throw .longName(name, limit: nameBytes) }
        guard !Self.isUniform(name) else {
            self = .file(name)
            return
        }
        var bytes = Array(name.utf8)
        guard !bytes.isEmpty else { throw .invalid("an entry has no name") }
        guard !bytes.contains(0) else { throw .leadsOut(name, "holds a NUL") }
        let slash = UInt8(ascii: "/")
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\\") { bytes[index] = slash }
        guard bytes.first != slash else { throw .leadsOut(name, "is absolute") }

        let components = bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        guard !components.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw .leadsOut(name, "climbs out by \"..\"")
        }
        if let first = components.first, Self.isDrive(first) { throw .leadsOut(name, "names a drive") }
        let ending = bytes.split(separator: slash, omittingEmptySubsequences: false).last
        if components.isEmpty || ending?.isEmpty == true || ending?.elementsEqual(".".utf8) == true {
            self = .folder
        } else {
            self = .file(String(decoding: Array(components.joined(separator: [slash])), as: UTF8.self))
        }
    }

    /// Whether the name is a file's path as it should be, so that nothing has to be made anew: most are.
    private static func isUniform(_ name: String) -> Bool {
        var count = 0
        var isDots = true  // so far, of the present component
        for byte in name.utf8 {
            switch byte {
            case 0, UInt8(ascii: "\\"), UInt8(ascii: ":"): return false
            case UInt8(ascii: "/"):
                guard count > 0, !isDots else { return false }
                (count, isDots) = (0, true)
            default:
                count += 1
                isDots = isDots && byte == UInt8(ascii: ".")
            }
        }
        return count > 0 && !isDots
    }

    /// `C:` alone, or with a name after it, which Windows takes as relative to the drive's folder.
    private static func isDrive(_ component: ArraySlice<UInt8>) -> Bool {
        guard component.count >= 2, component[component.startIndex + 1] == UInt8(ascii: ":") else { return false }
        let letter = component[component.startIndex] | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
    }
}

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
                "a second entry is called \(path.printable(limit: 200)); the first one is used",
                arguments: [.init("name", path)])
            return
        }
        others[key] = Int32(clamping: index)
        // Strings are equal in any Unicode form.
        guard path.lowercased() == other.lowercased() else { return }
        log.add(
            .archiveCaseCollision, at: Place(entry: path),
            """
            \(path.printable(limit: 200)) and \(other.printable(limit: 200)) differ only in case or Unicode form; on \
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

extension EntryNames {
    /// A finding for each entry whose name holds control characters; it is used as it is.
    static func tellControls(in entries: [Bundle.Entry], log: inout FindingLog) {
        for entry in entries where !entry.path.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            guard entry.path.unicodeScalars.contains(where: \.isControl) else { continue }
            log.add(
                .archiveNameEncoding, at: Place(entry: entry.path),
                "the name \(escaped(entry.path)) holds control characters", arguments: [.init("name", entry.path)])
        }
    }

    /// With `\n`, `\u{1B}` and the like where such characters stand; at most 200 characters.
    private static func escaped(_ name: String) -> String {
        let shown = name.unicodeScalars.prefix(200).map { scalar in
            scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return shown.joined() + (name.unicodeScalars.dropFirst(200).isEmpty ? "" : "…")
    }
}
