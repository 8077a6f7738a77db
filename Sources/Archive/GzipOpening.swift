import ByteSource
import Diagnostics

extension BundleOpening {
    /// What gzip holds, where it is one document.
    func unpacked(_ beside: () -> FolderBeside?) throws(ArchiveError) -> Bundle {
        let member: GzipMember?
        do { member = try GzipMember(source) } catch { throw .unreadable(error) }
        guard let member else { throw .foreign(name, .gzip) }
        let inner = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
        let gzip = GzipContent(
            member: member, source: source, name: inner.isEmpty ? "content" : inner, limits: limits)
        let start: [UInt8]
        do { start = try gzip.start() } catch { throw gzip.isCutShort ? .cutShort(name) : error }
        switch Content(start: start) {
        case .document: break
        case .foreign(.tar): throw .foreign(name, .packedTar)
        case .empty, .archive, .foreign, .unknown: throw .foreign(name, .gzip)
        }
        var log = FindingLog()
        if inner == name {
            log.add(
                .archiveExtensionMismatch,
                "\(ArchiveError.shown(name)) is a document packed by gzip, though its name does not say so; it is read",
                arguments: [.init("name", name), .init("kind", "gzip")])
        }
        let opening = renamed(inner)
        let content: SpooledByteSource
        do { content = try gzip.whole(memory: memoryForContent) } catch {
            throw gzip.isCutShort ? .cutShort(name) : error
        }
        return opening.document(content, beside: beside(), log: log)
    }
}

/// The one file that gzip holds, as an archive's entry.
private struct GzipContent {
    let member: GzipMember
    let source: any ByteSource
    let name: String
    let limits: ArchiveLimits

    func start() throws(ArchiveError) -> [UInt8] {
        let (bundle, entry) = try entry(declaring: member.size, limits)
        return try bundle.prefix(of: entry, count: Content.probedBytes)
    }

    func whole(memory: Int) throws(ArchiveError) -> SpooledByteSource {
        let (bundle, entry) = try entry(declaring: member.size, limits)
        return try bundle.spool(entry, memory: memory)
    }

    private func entry(
        declaring size: UInt32, _ limits: ArchiveLimits
    ) throws(ArchiveError) -> (Bundle, Bundle.Entry) {
        let bundle = try Bundle.open(
            member.archive(source, entry: name, size: size), name: name, limits: limits)
        guard let entry = bundle.entries.first else { throw .foreign(name, .gzip) }
        return (bundle, entry)
    }

    /// Whether the packed bytes end before they say that they do: then what stands at the end is no trailer, and what
    /// it seems to declare means nothing.
    ///
    /// Inflates what a document could be, far below what a bomb would be.
    var isCutShort: Bool {
        let most = max(limits.ratioThreshold, Int64(member.count) * 32)
        let size = min(most, limits.inflatedBytes.bytes(forArchiveOf: source.size))
        var trial = limits
        trial.ratio = .max
        do throws(ArchiveError) {
            let (bundle, entry) = try entry(declaring: UInt32(clamping: min(size, Int64(UInt32.max) - 1)), trial)
            let reader = try bundle.reader(for: entry)
            let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 17)
            defer { chunk.deallocate() }
            while try reader.read(into: chunk) > 0 {}
            return false
        } catch { return error == .cutOff(name) }
    }
}
