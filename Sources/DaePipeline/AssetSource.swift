package import DaeCore
public import DaeDownload

/// Where an asset's bytes come from.
///
/// Which it is says whoever makes one: text from a stranger goes into ``url(_:entry:sha256:headers:)``, and is never taken
/// for a path of this machine.
public struct AssetSource: Sendable, Hashable {
    /// What is asked for, and where.
    package enum Kind: Sendable, Hashable {
        /// As a person at a terminal wrote it; what it means is looked up when it is fetched (``SourceAddress``).
        case typed
        case path(String)
        case url(WebSource)
        case reader(SharedReader)
    }

    package let kind: Kind
    /// The entry within, such as `models/a.dae`; `nil` for what the bundle itself calls its scene.
    package let entry: String?
    /// As it was given, with what is secret in it.
    package let text: String

    private init(_ kind: Kind, _ text: String, entry: String?) {
        self.kind = kind
        self.entry = entry
        self.text = entry.map { SourceAddress.address(of: $0, in: text) } ?? text
    }

    /// A file or a folder of this machine: a document, an archive, or a folder that holds a bundle's files.
    ///
    /// - Parameter entry: The document within, as a path in the bundle; `nil` for what the bundle calls its scene.
    public static func path(_ path: String, entry: String? = nil) -> AssetSource {
        AssetSource(.path(path), path, entry: entry)
    }

    /// A file on the web. What is no address of http or https fails with `DOWNLOAD_URL_INVALID`.
    ///
    /// - Parameters:
    ///   - sha256: What the file must hash to, as 64 hexadecimal digits; `nil` where nobody knows. Any other text fails.
    ///   - headers: Are sent with the requests for this file alone, and to no other origin; no text shows their values.
    public static func url(
        _ address: String, entry: String? = nil, sha256: String? = nil, headers: [RequestHeader] = []
    ) -> AssetSource {
        AssetSource(.url(WebSource(address: address, sha256: sha256, headers: headers)), address, entry: entry)
    }

    /// A file that is in memory.
    ///
    /// - Parameter name: Its ending says what it is where the bytes alone do not, and messages name it.
    public static func bytes(_ bytes: [UInt8], name: String, entry: String? = nil) -> AssetSource {
        AssetSource(.reader(SharedReader(MemoryByteSource(bytes))), name, entry: entry)
    }

    /// A file that whoever calls reads: from another store, a cipher, a wire.
    ///
    /// - Parameters:
    ///   - name: Its ending says what it is where the bytes alone do not, and messages name it.
    ///   - size: Bytes in all.
    ///   - read: Copies bytes from an offset (0..<`size`) on into a buffer, which is not empty, and says how many: at least
    ///     one. Called on other threads, several at once; what it throws, and a number that cannot be, fails the asset.
    public static func reader(
        name: String, size: Int64, entry: String? = nil,
        read: @escaping @Sendable (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int
    ) -> AssetSource {
        AssetSource(.reader(SharedReader(ReaderByteSource(name: name, size: size, read))), name, entry: entry)
    }

    /// What a person at a terminal wrote: `-`, an address, a path, or any of them with `!/entry`.
    package static func typed(_ text: String) -> AssetSource { AssetSource(.typed, text, entry: nil) }

    /// A file on the web, and how it is asked for.
    package struct WebSource: Sendable, Hashable {
        package let address: String
        let sha256: String?
        let headers: [RequestHeader]
    }

    /// A class so that two of the same contents are two sources.
    package final class SharedReader: Sendable, Hashable {
        let source: any ByteSource

        package init(_ source: any ByteSource) { self.source = source }

        /// All that there is, in memory.
        package func bytes() throws(ByteSourceError) -> [UInt8] {
            try source.bytes(at: 0, count: Int(clamping: source.size))
        }

        package static func == (left: SharedReader, right: SharedReader) -> Bool { left === right }

        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension AssetSource: CustomStringConvertible {
    /// For people: an address without its user name and password.
    public var description: String { SourceAddress.display(text) }
}

/// A reader of others, whose answers are looked at before they are believed.
private struct ReaderByteSource: ByteSource {
    private let name: String
    let size: Int64
    private let base: @Sendable (Int64, UnsafeMutableRawBufferPointer) throws -> Int

    init(name: String, size: Int64, _ base: @escaping @Sendable (Int64, UnsafeMutableRawBufferPointer) throws -> Int) {
        self.name = name
        self.size = max(0, size)
        self.base = base
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
        let most = Int(min(Int64(buffer.count), size - offset))
        let count: Int
        do { count = try base(offset, UnsafeMutableRawBufferPointer(rebasing: buffer[..<most])) } catch {
            throw ByteSourceError(operation: "read", subject: name, reason: "\(error)")
        }
        guard (1...most).contains(count) else {
            throw ByteSourceError(
                operation: "read", subject: name,
                reason: "the reader says that it read \(count) bytes at \(offset); expected 1 to \(most)")
        }
        return count
    }
}
