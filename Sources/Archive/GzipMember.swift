import ByteSource

/// A file packed by gzip (RFC 1952): deflate between a header and a trailer, which an archive of one entry could hold
/// as it is. So it is read as one, under the same budgets and checks.
struct GzipMember {
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
