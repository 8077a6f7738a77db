/// A deflate writer (RFC 1951) that is just good enough to make test archives: no dictionary, only runs.
public enum Deflate {
    /// Blocks that hold their bytes as they are, at most 65,535 each.
    public static func storedBlocks(_ contents: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = contents[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            out += [rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)]
            out += [UInt8(~count & 0xFF), UInt8(~count >> 8)] + block
        } while !rest.isEmpty
        return out
    }

    /// One block in the fixed code; a byte that repeats is written as a match at distance 1.
    public static func runs(_ contents: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        bits.put(1, 1)
        bits.put(1, 2)
        var index = 0
        while index < contents.count {
            bits.putLiteral(contents[index])
            var run = 1
            while index + run < contents.count, contents[index + run] == contents[index] { run += 1 }
            index += 1
            var left = run - 1
            while left >= 3 {
                // Length 258 has a code of its own; 3 to 10 have one each, without extra bits.
                let length = left >= 258 ? 258 : min(left, 10)
                bits.putMatch(length: length)
                left -= length
                index += length
            }
        }
        bits.putCode(0, 7)
        return bits.finish()
    }

    /// A gzip file (RFC 1952).
    ///
    /// - Parameters:
    ///   - size: That it says; the right one by default.
    ///   - header: In place of the plainest one.
    public static func gzip(_ contents: [UInt8], size: UInt32? = nil, header: [UInt8]? = nil) -> [UInt8] {
        let count = size ?? UInt32(contents.count)
        let trailer = [CRC32.of(contents), count].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return (header ?? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + runs(contents) + trailer
    }
}

private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count: UInt32 = 0

    /// The low `width` bits of `value`, lowest first.
    mutating func put(_ value: UInt32, _ width: UInt32) {
        pending |= value << count
        count += width
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    /// A Huffman code: highest bit first.
    mutating func putCode(_ code: UInt32, _ width: UInt32) {
        for bit in (0..<width).reversed() { put(code >> bit & 1, 1) }
    }

    mutating func putLiteral(_ byte: UInt8) {
        if byte < 144 { putCode(0x30 + UInt32(byte), 8) } else { putCode(0x190 + UInt32(byte) - 144, 9) }
    }

    /// 3...10 or 258 bytes from one byte back.
    mutating func putMatch(length: Int) {
        if length == 258 { putCode(0xC5, 8) } else { putCode(UInt32(length) - 2, 7) }
        putCode(0, 5)
    }

    mutating func finish() -> [UInt8] {
        if count > 0 { put(0, 8 - count) }
        return bytes
    }
}

/// CRC-32 as ZIP, gzip and PNG use it (ISO 3309).
public enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    public static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
