package import DaeCore
package import DaeDiagnostics

extension Bundle {
    /// Opens a file or folder.
    ///
    /// - Parameter password: For encrypted entries, which cannot be read without it.
    package static func open(
        path: String, limits: ArchiveLimits = .init(), password: String? = nil
    ) throws(CodedFailure) -> Bundle {
        let found: FileByteSource.Found
        do { found = try FileByteSource.find(path: path) } catch { throw .unreadable(error) }
        switch found {
        case .folder: return try open(folder: path, limits: limits)
        case .file(let source):
            let opening = BundleOpening(source: source, path: path, limits: limits, password: password)
            return try opening.bundle { FolderBeside(path) }
        }
    }

    /// Opens bytes from anywhere; standard input comes this way, spooled by the caller.
    ///
    /// - Parameters:
    ///   - name: A file name or the path of an address, for messages and for what the ending says.
    ///   - password: For encrypted entries, which cannot be read without it.
    package static func open(
        _ source: any ByteSource, name: String, limits: ArchiveLimits = .init(), password: String? = nil
    ) throws(CodedFailure) -> Bundle {
        try BundleOpening(source: source, path: name, limits: limits, password: password).bundle { nil }
    }

    private static func open(folder path: String, limits: ArchiveLimits) throws(CodedFailure) -> Bundle {
        let tree: FolderTree
        do throws(SystemError) { tree = try FolderTree(path: path) } catch {
            throw .unreadable(ByteSourceError(operation: "open", error))
        }
        var log = FindingLog()
        let entries = try tree.entries(limits: limits, log: &log)
        return Bundle(
            name: folderName(path), kind: .folder, entries: entries, source: nil, store: .folder(tree), log: log,
            limits: limits)
    }

    /// The folder's own name, also where the path ends in `.` or `..`.
    private static func folderName(_ path: String) -> String {
        let name = path.lastComponent
        guard name.isEmpty || name == "." || name == "..", let real = try? RealPath.of(path) else { return name }
        return real.lastComponent
    }
}

/// One source on its way to be a bundle.
struct BundleOpening {
    let source: any ByteSource
    let name: String
    private let named: Bundle.Kind?
    let limits: ArchiveLimits
    private let password: String?
    private let surroundings: Bundle.Surroundings?
    private let nesting: Nesting?

    /// - Parameters:
    ///   - surroundings: Of what lies within another bundle.
    ///   - nesting: `nil` for what lies in none.
    init(
        source: any ByteSource, path: String, limits: ArchiveLimits, password: String?,
        in surroundings: Bundle.Surroundings? = nil, nesting: Nesting? = nil
    ) {
        self.surroundings = surroundings
        self.nesting = nesting
        self.source = source
        name = path.lastComponent
        named = Bundle.Kind(named: name)
        self.limits = limits
        self.password = password
    }

    /// The same source by another name, without a password.
    func renamed(_ path: String) -> BundleOpening {
        BundleOpening(
            source: source, path: path, limits: limits, password: nil, in: surroundings, nesting: nesting)
    }

    /// Bytes of what is packed by gzip that are kept in memory; none where there may be many.
    var memoryForContent: Int { nesting == nil ? SpooledByteSource.defaultMemoryLimit : 0 }

    /// Of a file that is read once: to find out what it is, all of it is read and kept.
    private static let smallBytes = 1 << 14

    /// - Parameter beside: The folder in which the source lies; asked for where it is a lone document.
    func bundle(beside: () -> FolderBeside?) throws(CodedFailure) -> Bundle {
        let isSmall =
            switch source.distance {
            case .here: source.size <= Int64(Self.smallBytes)
            case .far: false
            }
        let start: [UInt8]
        do { start = try source.bytes(at: 0, count: isSmall ? Self.smallBytes : Content.probedBytes) } catch {
            throw .unreadable(error)
        }
        let document: any ByteSource = isSmall ? MemoryByteSource(start) : source
        switch Content(start: start) {
        case .empty: throw .empty(name)
        case .archive:
            let end: DirectoryEnd
            do throws(CodedFailure) { end = try DirectoryEnd.find(in: source) } catch {
                // The first part of an archive in several may begin with a mark of its own.
                throw isNamedAsPart || start.starts(with: [0x50, 0x4b, 7, 8]) || error == .part(nil)
                    ? .part(name) : error
            }
            return try archive(end)
        case .foreign(.gzip): return try unpacked(beside)
        case .foreign(let format): throw .foreign(name, format)
        case .document: return self.document(document, beside: beside(), log: FindingLog())
        case .unknown:
            let end: DirectoryEnd?
            do throws(CodedFailure) { end = try DirectoryEnd.find(in: source) } catch {
                if error == .part(nil) { throw .part(name) }
                end = nil
            }
            if let end, end.entries > 0 { return try archive(end) }
            guard named == .dae else { throw isNamedAsPart ? .part(name) : .unrecognised(name) }
            return self.document(document, beside: beside(), log: FindingLog())
        }
    }

    /// Whether the name is that of a part: `a.zip.001` of 7-Zip, `a.z01` of WinZip and Info-ZIP.
    private var isNamedAsPart: Bool {
        let parts = name.lowercased().split(separator: ".")
        guard parts.count > 1, let last = parts.last else { return false }
        let digits = last.hasPrefix("z") ? last.dropFirst() : last
        guard digits.count >= 2, digits.allSatisfy(\.isNumber) else { return false }
        let before = parts[parts.count - 2]
        return last.hasPrefix("z") || before == "7z" || Bundle.Kind(ending: before.utf8)?.isArchive == true
    }

    func document(_ content: any ByteSource, beside: FolderBeside?, log: FindingLog) -> Bundle {
        var log = log
        tellMismatch(as: .dae, log: &log)
        let entry = Bundle.Entry(path: name.isEmpty ? "document.dae" : name, size: content.size, location: .whole)
        return Bundle(
            name: name, kind: .dae, entries: [entry], source: source, store: .document(content, beside: beside),
            log: log, limits: limits, in: surroundings, nesting: nesting)
    }

    private func archive(_ end: DirectoryEnd) throws(CodedFailure) -> Bundle {
        let isWhole = end.prefix == 0 && end.archiveSize == source.size
        let bytes: any ByteSource =
            isWhole ? source : SlicedByteSource(source, from: end.prefix, size: end.archiveSize)
        let outcome = try EntryCheck(archive: bytes, end: end, limits: limits).outcome()
        let bundle = self.bundle(of: outcome, end, bytes)
        // Which code page the other names are in shows in the documents, which can be read by now.
        guard !outcome.rawNames.isEmpty, let page = NamePageGuess.page(of: outcome.rawNames, in: bundle),
            let decoder = NameDecoder(page),
            let other = try? EntryCheck(archive: bytes, end: end, limits: limits, decoder: decoder).outcome()
        else { return bundle }
        return self.bundle(of: other, end, bytes)
    }

    private func bundle(of outcome: EntryCheck.Outcome, _ end: DirectoryEnd, _ bytes: any ByteSource) -> Bundle {
        let kind = named.flatMap { $0.isArchive ? $0 : nil } ?? .zip
        var log = FindingLog()
        tellMismatch(as: kind, log: &log)
        tellExtraBytes(end, unused: outcome.unusedBytes, log: &log)
        EntryNames.tellEncodings(outcome, log: &log)
        EntryNames.tellBackslashes(outcome, log: &log)
        EntryNames.tellJunk(in: outcome.entries, log: &log)
        return Bundle(
            name: name, kind: kind, entries: outcome.entries, source: source,
            store: .archive(
                .init(
                    zip: outcome.zip, bytes: bytes, password: password,
                    declaredBytes: outcome.inflatedBytes, headers: outcome.headers)),
            log: log, limits: limits, in: surroundings, nesting: nesting)
    }

    /// A finding where the name says another kind than the content.
    private func tellMismatch(as kind: Bundle.Kind, log: inout FindingLog) {
        guard let named, named != kind else { return }
        let found = kind.isArchive ? "a ZIP archive" : "an XML document"
        log.add(
            .archiveExtensionMismatch,
            "\(name.printable(limit: 200)) is \(found), though its name ends in .\(named.rawValue); it is read as what it is",
            arguments: [.init("name", name), .init("named", named.rawValue), .init("kind", kind.rawValue)])
    }

    /// - Parameter unused: Bytes of the archive before its first entry, which are junk too where it does not begin as one.
    private func tellExtraBytes(_ end: DirectoryEnd, unused: Int64, log: inout FindingLog) {
        let before = end.prefix + unused
        let after = source.size - end.prefix - end.archiveSize
        guard before > 0 || after > 0 else { return }
        log.add(
            .archiveExtraBytes,
            "\(before) bytes before the archive and \(after) behind it are no part of it; they are ignored",
            arguments: [.init("before", String(before)), .init("after", String(after))])
    }
}
