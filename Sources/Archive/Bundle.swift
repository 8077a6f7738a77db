public import ByteSource
public import Diagnostics

/// A source opened as one bundle of files: an archive, a folder, or a lone document.
///
/// A class because it owns the archive's C handle or the folder's descriptor. Safe from several threads.
public final class Bundle: Sendable {
    /// Where the entries' bytes lie.
    enum Store: Sendable {
        case archive(ZipHandle, any ByteSource)
        /// `beside` is the folder in which the document lies, where it came from a path.
        case document(any ByteSource, beside: FolderTree?)
        case folder(FolderTree)
    }

    /// The last component of the source's path or address.
    public let name: String
    public let kind: Kind
    /// Files only: an archive's in its own order, a folder's sorted by path.
    public let entries: [Entry]
    /// What is odd about the source, its entries' names and the like.
    public let findings: [Finding]
    public let limits: ArchiveLimits
    let store: Store
    /// Places in `entries` by the bytes of the path: `String` would take composed and decomposed letters as equal.
    private let places: [[UInt8]: Int]

    init(
        name: String, kind: Kind, entries: [Entry], store: Store, log: FindingLog, limits: ArchiveLimits
    ) {
        var log = log
        var places: [[UInt8]: Int] = [:]
        places.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let key = Array(entry.path.utf8)
            guard places[key] != nil else {
                places[key] = index
                continue
            }
            log.add(
                .archiveDuplicateEntry, at: Place(entry: entry.path),
                "a second entry is called \(ArchiveError.shown(entry.path)); the first one is used",
                arguments: [.init("name", entry.path)])
        }
        self.name = name
        self.kind = kind
        self.entries = entries
        self.store = store
        self.limits = limits
        self.places = places
        findings = log.findings
    }

    /// The bytes of the source itself; `nil` for a folder.
    public var source: (any ByteSource)? {
        switch store {
        case .archive(_, let source), .document(let source, _): source
        case .folder: nil
        }
    }

    /// Bytes of the file or stream; `nil` for a folder.
    public var size: Int64? { source?.size }

    /// The entry of exactly this path, byte by byte; the first of several.
    ///
    /// For a folder, and for a lone document that came from a path, also any regular file below the (document's)
    /// folder that is reached without a symbolic link, whether or not it is in ``entries``.
    public func entry(at path: String) -> Entry? {
        if let place = places[Array(path.utf8)] { return entries[place] }
        switch store {
        case .archive, .document(_, beside: nil): return nil
        case .document(_, .some(let tree)), .folder(let tree):
            guard let file = try? tree.file(at: Array(path.utf8)) else { return nil }
            return Entry(path: path, size: file.size, location: .file(rawPath: nil))
        }
    }
}
