import DaeCore
import DaeDiagnostics

extension BundleOpening {
    /// What gzip holds, where it is one document.
    func unpacked(_ beside: () -> FolderBeside?) throws(CodedFailure) -> Bundle {
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
                "\(name.printable(limit: 200)) is a document packed by gzip, though its name does not say so; it is read",
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

    func start() throws(CodedFailure) -> [UInt8] {
        let (bundle, entry) = try entry(declaring: member.size, limits)
        return try bundle.prefix(of: entry, count: Content.probedBytes)
    }

    func whole(memory: Int) throws(CodedFailure) -> SpooledByteSource {
        let (bundle, entry) = try entry(declaring: member.size, limits)
        return try bundle.spool(entry, memory: memory)
    }

    private func entry(
        declaring size: UInt32, _ limits: ArchiveLimits
    ) throws(CodedFailure) -> (Bundle, Bundle.Entry) {
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
        do throws(CodedFailure) {
            let (bundle, entry) = try entry(declaring: UInt32(clamping: min(size, Int64(UInt32.max) - 1)), trial)
            let reader = try bundle.reader(for: entry)
            let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 17)
            defer { chunk.deallocate() }
            while try reader.read(into: chunk) > 0 {}
            return false
        } catch { return error == .cutOff(name) }
    }
}

/// A file packed by gzip (RFC 1952): deflate between a header and a trailer, which an archive of one entry could hold
/// as it is. So it is read as one, under the same budgets and checks.
private struct GzipMember {
    /// Of the first packed byte, and how many they are.
    private let start: Int64
    let count: UInt32
    private let crc32: UInt32
    /// Bytes when inflated, as the trailer has it.
    let size: UInt32

    private static let headerBytes = 10
    private static let trailerBytes = 8
    /// A header that is longer, by its name or comment, is no honest one.
    private static let longestHeader = 1 << 16

    /// `nil` where the source is no single member of less than 4 GiB.
    init?(_ source: any ByteSource) throws(ByteSourceError) {
        let head = try source.bytes(at: 0, count: Self.longestHeader)
        guard head.starts(with: [0x1F, 0x8B, 8]), head.count > Self.headerBytes, let start = Self.end(ofHeader: head),
            let count = UInt32(exactly: source.size - Int64(start) - Int64(Self.trailerBytes)), count < .max
        else { return nil }
        let trailer = try source.bytes(at: source.size - Int64(Self.trailerBytes), count: Self.trailerBytes)
        guard let crc32 = trailer.number32(at: 0), let size = trailer.number32(at: 4), size < .max else { return nil }
        (self.start, self.count, self.crc32, self.size) = (Int64(start), count, crc32, size)
    }

    /// The same bytes as a ZIP archive whose one entry is called `name` and declares `size` bytes.
    func archive(_ source: any ByteSource, entry name: String, size: UInt32) -> any ByteSource {
        let name = Array(name.utf8)
        var common: [UInt8] = []
        for field: UInt16 in [20, 0x800, 8, 0, 0x21] { common.append(littleEndian: field) }
        for field in [crc32, count, size] { common.append(littleEndian: field) }
        common.append(littleEndian: UInt16(truncatingIfNeeded: name.count))
        common.append(littleEndian: UInt16(0))

        var local: [UInt8] = []
        local.append(littleEndian: LocalHeader.signature)
        local += common + name
        var tail: [UInt8] = []
        tail.append(littleEndian: DirectoryRecord.signature)
        tail.append(littleEndian: UInt16(20))
        tail += common + [UInt8](repeating: 0, count: 14) + name
        let directoryBytes = tail.count
        tail.append(littleEndian: UInt32(0x0605_4B50))
        for field: UInt16 in [0, 0, 1, 1] { tail.append(littleEndian: field) }
        tail.append(littleEndian: UInt32(directoryBytes))
        tail.append(littleEndian: UInt32(truncatingIfNeeded: Int64(local.count) + Int64(count)))
        tail.append(littleEndian: UInt16(0))
        return JoinedByteSource([
            MemoryByteSource(local), SlicedByteSource(source, from: start, size: Int64(count)), MemoryByteSource(tail),
        ])
    }

    /// RFC 1952, section 2.3: the fields that the flags announce, in their order.
    private static func end(ofHeader head: [UInt8]) -> Int? {
        let flags = head[3]
        guard flags & 0xE0 == 0 else { return nil }
        var index = headerBytes
        if flags & 4 != 0 {
            guard let extra = head.number16(at: index) else { return nil }
            index += 2 + Int(extra)
        }
        for text in [flags & 8, flags & 16] where text != 0 {
            guard index <= head.count, let end = head[index...].firstIndex(of: 0) else { return nil }
            index = end + 1
        }
        if flags & 2 != 0 { index += 2 }
        return index <= head.count ? index : nil
    }
}

/// A few sources, read as if they lay one behind the other.
private struct JoinedByteSource: ByteSource {
    private let parts: [any ByteSource]
    let size: Int64

    init(_ parts: [any ByteSource]) {
        self.parts = parts
        size = parts.reduce(0) { $0 + $1.size }
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        var rest = offset
        for part in parts {
            guard rest >= part.size else { return try part.read(at: rest, into: buffer) }
            rest -= part.size
        }
        return 0
    }
}
