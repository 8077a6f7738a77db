public import ByteSource
import Diagnostics
import Glibc

extension Bundle {
    /// Opens a file or folder.
    public static func open(path: String, limits: ArchiveLimits = .init()) throws(ArchiveError) -> Bundle {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            let source: FileByteSource
            do { source = try FileByteSource(path: path) } catch { throw .unreadable(error) }
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
            return try open(source, name: path, beside: { FolderTree(path: folder) }, limits: limits)
        }
        return try open(folder: path, limits: limits)
    }

    /// Opens bytes from anywhere; standard input comes this way, spooled by the caller.
    ///
    /// - Parameter name: A file name or the path of an address, for messages and for what the ending says.
    public static func open(
        _ source: any ByteSource, name: String, limits: ArchiveLimits = .init()
    ) throws(ArchiveError) -> Bundle {
        try open(source, name: name, beside: { nil }, limits: limits)
    }

    /// Opens an archive or document that lies in this bundle. It is spooled, for its bytes have to be sought.
    public func open(nested entry: Entry) throws(ArchiveError) -> Bundle {
        guard limits.nestingDepth > 0 else { throw .tooDeep(entry: entry.path) }
        var inner = limits
        inner.nestingDepth -= 1
        let reader = try reader(for: entry)
        var failure: ArchiveError?
        let spool: SpooledByteSource
        do {
            spool = try SpooledByteSource(name: entry.path, limit: entry.size) { buffer throws(ByteSourceError) in
                do throws(ArchiveError) {
                    return try reader.read(into: buffer)
                } catch {
                    failure = error
                    throw ByteSourceError(operation: "read", subject: entry.path, reason: error.message)
                }
            }
        } catch { throw failure ?? .unreadable(error, entry: entry.path) }
        return try Bundle.open(spool, name: entry.path, limits: inner)
    }

    private static func open(
        _ source: any ByteSource, name path: String, beside: () -> FolderTree?, limits: ArchiveLimits
    ) throws(ArchiveError) -> Bundle {
        let name = path.lastComponent
        let named = Kind(named: name)
        let content: Content
        do { content = try Content(of: source) } catch { throw .unreadable(error) }
        switch content {
        case .empty: throw .empty(name)
        case .foreign(let format): throw .foreign(name, format)
        case .unknown where named != .dae: throw .unrecognised(name)
        case .archive: return try open(archive: source, name: name, named: named, limits: limits)
        case .document, .unknown:
            let document = Entry(path: name.isEmpty ? "document.dae" : name, size: source.size, location: .whole)
            return Bundle(
                name: name, kind: .dae, entries: [document], store: .document(source, beside: beside()),
                log: mismatch(name, named: named, kind: .dae), limits: limits)
        }
    }

    private static func open(
        archive source: any ByteSource, name: String, named: Kind?, limits: ArchiveLimits
    ) throws(ArchiveError) -> Bundle {
        let kind = named.flatMap { $0.isArchive ? $0 : nil } ?? .zip
        let scan = try DirectoryScan(source, limits: limits)
        let zip = try ZipHandle(source)
        let entries = try EntryCheck.entries(of: zip, scan: scan, archiveSize: source.size, limits: limits)
        return Bundle(
            name: name, kind: kind, entries: entries, store: .archive(zip, source),
            log: mismatch(name, named: named, kind: kind), limits: limits)
    }

    private static func open(folder path: String, limits: ArchiveLimits) throws(ArchiveError) -> Bundle {
        guard let tree = FolderTree(path: path) else {
            throw .unreadable(ByteSourceError(operation: "open", subject: path, errno: errno))
        }
        var log = FindingLog()
        let entries = try tree.entries(limits: limits, log: &log)
        return Bundle(
            name: folderName(path), kind: .folder, entries: entries, store: .folder(tree), log: log, limits: limits)
    }

    /// The folder's own name, also where the path ends in `.` or `..`.
    private static func folderName(_ path: String) -> String {
        let name = path.lastComponent
        guard name.isEmpty || name == "." || name == "..", let real = realpath(path, nil) else { return name }
        defer { free(real) }
        return String(cString: real).lastComponent
    }

    /// A finding where the name says another kind than the content.
    private static func mismatch(_ name: String, named: Kind?, kind: Kind) -> FindingLog {
        var log = FindingLog()
        guard let named, named != kind else { return log }
        let found = kind.isArchive ? "a ZIP archive" : "an XML document"
        log.add(
            .archiveExtensionMismatch,
            "\(ArchiveError.shown(name)) is \(found), though its name ends in .\(named.rawValue); it is read as what it is",
            arguments: [.init("name", name), .init("named", named.rawValue), .init("kind", kind.rawValue)])
        return log
    }
}
