// An archive's entry comes as a stream: it is read on to the place that is wanted, and begun anew for one further back.

import Archive
import ByteSource

/// The bytes of an image's file, at any place.
struct ImageFile {
    private enum Origin {
        case source(any ByteSource)
        case entry(Bundle.Entry, of: Bundle)
    }

    private let origin: Origin
    let size: Int64
    /// Bytes that may be read, those on the way to a place counted.
    var budget = Int64.max
    /// Why the file cannot be read; `nil` while it can.
    private(set) var failure: String?
    private var reader: EntryReader?
    /// What the stream gave last.
    private var block: [UInt8] = []
    private var blockStart: Int64 = 0
    private static let blockSize = 1 << 16

    init(_ source: any ByteSource) {
        origin = .source(source)
        size = source.size
    }

    init(_ entry: Bundle.Entry, of bundle: Bundle) {
        origin = .entry(entry, of: bundle)
        size = entry.size
    }

    /// At most `count` bytes from `offset` on, none at the end; `nil` where they cannot be read or are too many.
    mutating func read(_ offset: Int64, _ count: Int) -> [UInt8]? {
        guard failure == nil, budget > 0 else { return nil }
        switch origin {
        case .source(let source):
            do throws(ByteSourceError) {
                let bytes = try Self.bytes(count) { buffer throws(ByteSourceError) in
                    try source.read(at: min(offset, source.size), into: buffer)
                }
                budget -= Int64(bytes.count)
                return bytes
            } catch { failure = error.reason }
        case .entry(let entry, let bundle):
            do throws(ArchiveError) {
                return try stream(entry, of: bundle, offset, count)
            } catch { failure = error.message }
        }
        return nil
    }

    private mutating func stream(
        _ entry: Bundle.Entry, of bundle: Bundle, _ offset: Int64, _ count: Int
    ) throws(ArchiveError) -> [UInt8]? {
        if offset < blockStart { reader = nil }
        let reader: EntryReader
        if let begun = self.reader {
            reader = begun
        } else {
            reader = try bundle.reader(for: entry)
            (self.reader, block, blockStart) = (reader, [], 0)
        }
        while offset - blockStart >= block.count {
            guard budget > 0 else { return nil }
            blockStart += Int64(block.count)
            block = try Self.bytes(Self.blockSize) { buffer throws(ArchiveError) in try reader.read(into: buffer) }
            budget -= Int64(block.count)
            if block.isEmpty { return [] }
        }
        // Whether the checksum is right shows behind the last byte.
        if blockStart + Int64(block.count) == size {
            _ = try Self.bytes(1) { buffer throws(ArchiveError) in try reader.read(into: buffer) }
        }
        return Array(block[Int(offset - blockStart)...].prefix(count))
    }

    private static func bytes<Failure: Error>(
        _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: count)
        defer { buffer.deallocate() }
        return Array(buffer[..<(try fill(buffer))])
    }
}
