package import DaeCore
package import DaeDiagnostics

/// A source opened as one bundle of files: an archive, a folder, or a lone document.
///
/// A class because it may own the archive's C handle or the folder's descriptor. Safe from several threads.
package final class Bundle: Sendable {
    /// Where the entries' bytes lie.
    enum Store: Sendable {
        case archive(Archived)
        /// `beside` is the folder in which the document lies, where it came from a path.
        case document(any ByteSource, beside: FolderBeside?)
        case folder(FolderTree)

        /// The folder that holds the entries, or lies around the document; `nil` where there is none to be opened.
        var folder: FolderTree? {
            switch self {
            case .archive: nil
            case .document(_, let beside): beside?.tree
            case .folder(let tree): tree
            }
        }
    }

    struct Archived: Sendable {
        /// `nil` where every entry is read without libzip.
        let zip: ZipHandle?
        /// From the archive's first byte to its last, whatever stands around it in the source.
        let bytes: any ByteSource
        let password: String?
        /// That the entries inflate to in all.
        let declaredBytes: Int64
        /// What an archive that is far away says of its entries; `nil` where their headers were read.
        let headers: FarHeaders?
    }

    /// The last component of the source's path or address.
    package let name: String
    package let kind: Kind
    /// Files only: an archive's in its own order, a folder's sorted by path.
    package let entries: [Entry]
    /// What is odd about the source, its entries' names and the like.
    package let findings: [Finding]
    package let limits: ArchiveLimits
    /// The bytes of the source itself, as they are; `nil` for a folder.
    package let source: (any ByteSource)?
    let store: Store
    /// What lies around an archive that was opened as part of another bundle; `nil` for all others.
    package let surroundings: Surroundings?
    let archives: OpenedArchives
    /// What this and all archives within it share.
    let nesting: Nesting
    private let places: EntryPlaces

    init(
        name: String, kind: Kind, entries: [Entry], source: (any ByteSource)?, store: Store, log: FindingLog,
        limits: ArchiveLimits, in surroundings: Surroundings? = nil, nesting: Nesting? = nil
    ) {
        var log = log
        archives = OpenedArchives()
        self.nesting =
            nesting ?? Nesting(account: Self.account(store, entries, limits), path: "", claim: nil)
        self.surroundings = surroundings
        self.name = name
        self.kind = kind
        self.entries = entries
        self.source = source
        self.store = store
        self.limits = limits
        places = EntryPlaces(entries, log: &log)
        EntryNames.tellControls(in: entries, log: &log)
        findings = log.findings
    }

    /// The same bundle, which was opened as part of another one.
    init(_ other: Bundle, in surroundings: Surroundings?) {
        self.surroundings = surroundings
        (name, kind, entries, findings, limits) = (other.name, other.kind, other.entries, other.findings, other.limits)
        (source, store, nesting) = (other.source, other.store, other.nesting)
        (archives, places) = (other.archives, other.places)
    }

    private static func account(_ store: Store, _ entries: [Entry], _ limits: ArchiveLimits) -> NestingAccount {
        switch store {
        case .archive(let archive):
            let budget = limits.inflatedBytes.bytes(forArchiveOf: archive.bytes.size)
            return NestingAccount(bytes: budget - archive.declaredBytes, limits: limits)
        case .document, .folder:
            let size = entries.reduce(Int64(0)) { $0.addingReportingOverflow($1.size).partialValue }
            return NestingAccount(bytes: limits.inflatedBytes.bytes(forArchiveOf: max(0, size)), limits: limits)
        }
    }

    /// Why archives within this bundle, or within the one around it, into which paths led could not be opened.
    package var nestingFindings: FindingLog { nesting.account.findings }

    /// What the entries take of a budget.
    var declaredBytes: Int64 {
        switch store {
        case .archive(let archive): archive.declaredBytes
        // What was packed by gzip.
        case .document(let content, _): content.size == source?.size ? 0 : content.size
        case .folder: 0
        }
    }

    /// Bytes of the file or stream; `nil` for a folder.
    package var size: Int64? { source?.size }

    /// The entry of exactly this path, byte by byte; the first of several. A path may go on into an archive that is an
    /// entry.
    ///
    /// For a folder, and for a lone document that came from a path, also any regular file below the (document's)
    /// folder that is reached without a symbolic link, whether or not it is in ``entries``.
    package func entry(at path: String) -> Entry? { ownEntry(at: path) ?? entryWithin(path) }

    func ownEntry(at path: String) -> Entry? {
        if let place = places[path] { return entries[place] }
        switch store {
        case .archive: return nil
        case .document, .folder:
            guard let file = try? store.folder?.file(at: Array(path.utf8)) else { return nil }
            return Entry(path: path, size: file.size, location: .file(rawPath: nil))
        }
    }
}

extension Bundle {
    /// Why something that has a path is no entry.
    package enum Obstacle: Sendable, Hashable {
        /// A symbolic link, at the path or on the way.
        case link
        /// A pipe, a device or the like.
        case special
    }

    /// What keeps the path from being one of an entry, in a folder or beside a lone document; `nil` where nothing that
    /// could be a file lies there. Links are not followed.
    package func obstacle(at path: String) -> Obstacle? {
        store.folder?.obstacle(at: Array(path.utf8))
    }
}

// What the first bytes of a source tell of the way it can be read, before it is there as a whole.

extension Bundle {
    /// Whether a file that begins like this can be opened without all of its bytes: a zip archive, whose directory says
    /// where each entry lies.
    package static func canBeReadInParts(start: [UInt8]) -> Bool {
        start.starts(with: [0x50, 0x4b, 3, 4]) || start.starts(with: [0x50, 0x4b, 5, 6])
    }

    /// Whether a file that begins like this is read from front to back and nothing else: a lone document.
    ///
    /// - Parameter start: ``probedBytes`` of them, or all there are.
    package static func isReadInOrder(start: [UInt8]) -> Bool {
        switch Content(start: start) {
        case .document: true
        case .empty, .archive, .foreign, .unknown: false
        }
    }

    /// How many bytes tell what a source is.
    package static var probedBytes: Int { Content.probedBytes }
}

extension Bundle {
    /// What the source is: by its first bytes, and among archives by its name.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A lone document; every document is taken for COLLADA until it is parsed.
        case dae
        case zip
        case zae
        case kmz
        case folder

        /// What the name says; `nil` where it says nothing.
        package init?(named name: String) {
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
            self.init(ending: name.utf8[name.utf8.index(after: dot)...])
        }

        /// What the letters behind a name's last dot say.
        init?(ending: Substring.UTF8View) {
            let kinds: [(StaticString, Kind)] = [("dae", .dae), ("zip", .zip), ("zae", .zae), ("kmz", .kmz)]
            let kind = kinds.first { word, _ in
                word.withUTF8Buffer { ending.elementsEqual($0) { $0 == $1 || $0 | 0x20 == $1 } }
            }
            guard let kind else { return nil }
            self = kind.1
        }

        package var isArchive: Bool {
            switch self {
            case .zip, .zae, .kmz: true
            case .dae, .folder: false
            }
        }
    }
}
