/// Lists of whole numbers as crate files pack them: differences from number to number, each in as few bytes as it takes.
///
/// - Source: OpenUSD, pxr/usd/sdf/integerCoding.h.
enum CrateIntegers {
    /// Numbers from which on a list in a value may be packed.
    static let leastCount = 16
    /// Differences that are looked at to find the most common one.
    private static let sampleCount = 4096

    /// - Parameter values: 32 bits each, with or without a sign.
    static func packed<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
        guard !values.isEmpty else { return [] }
        let common = commonDifference(in: values)
        let codeBytes = (values.count * 2 + 7) / 8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + codeBytes + values.count)
        bytes.append(little: UInt32(bitPattern: common))
        bytes.append(contentsOf: repeatElement(0, count: codeBytes))
        var last: Int32 = 0
        for (place, value) in values.enumerated() {
            let number = Int32(truncatingIfNeeded: value)
            let difference = number &- last
            last = number
            let code: UInt8
            if difference == common {
                code = 0
            } else if let short = Int8(exactly: difference) {
                code = 1
                bytes.append(UInt8(bitPattern: short))
            } else if let middle = Int16(exactly: difference) {
                code = 2
                bytes.append(little: UInt16(bitPattern: middle))
            } else {
                code = 3
                bytes.append(little: UInt32(bitPattern: difference))
            }
            bytes[4 + place / 4] |= code << (place % 4 * 2)
        }
        return LZ4Block.framed(bytes)
    }

    /// Any would do; the more common, the shorter.
    private static func commonDifference<Value: FixedWidthInteger>(in values: [Value]) -> Int32 {
        var counts: [Int32: Int] = [:]
        var last: Int32 = 0
        var best: (difference: Int32, count: Int) = (0, 0)
        for value in values.prefix(sampleCount) {
            let number = Int32(truncatingIfNeeded: value)
            let difference = number &- last
            last = number
            let count = counts[difference, default: 0] + 1
            counts[difference] = count
            if count > best.count { best = (difference, count) }
        }
        return best.difference
    }
}

/// Bytes packed as one LZ4 block after another.
///
/// - Source: LZ4 block format description (lz4/doc/lz4_Block_format.md); OpenUSD, pxr/base/tf/fastCompression.cpp.
enum LZ4Block {
    /// Bytes of one block at most.
    private static let mostBytes = 0x7E00_0000
    private static let leastMatch = 4
    /// Behind the start of the last match, and literals at the end, at least.
    private static let (endOfMatches, lastLiterals) = (12, 5)
    private static let farthest = 65535
    private static let hashBits: UInt32 = 14
    /// Places without a match after which the steps become longer.
    private static let patience = 6

    /// Blocks with their count before them, as crate files have it.
    static func framed(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2 + 64)
        if bytes.count <= mostBytes {
            result.append(0)
            append(bytes[...], to: &result)
            return result
        }
        let starts = Array(stride(from: 0, to: bytes.count, by: mostBytes))
        result.append(UInt8(truncatingIfNeeded: starts.count))
        for start in starts {
            let place = result.count
            result.append(little: UInt32(0))
            append(bytes[start..<min(bytes.count, start + mostBytes)], to: &result)
            let size = UInt32(truncatingIfNeeded: result.count - place - 4)
            for lane in 0..<4 { result[place + lane] = UInt8(truncatingIfNeeded: size >> UInt32(8 * lane)) }
        }
        return result
    }

    /// - Complexity: O(n): each place is looked at once, and compared with the latest one like it.
    private static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
        bytes.withUnsafeBytes { input in
            var literals = 0
            let end = input.count
            if end > endOfMatches {
                var latest = [Int32](repeating: -1, count: 1 << hashBits)
                var place = 0
                while place < end - endOfMatches {
                    let word = input.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    let hash = Int((word &* 2_654_435_761) >> (32 - hashBits))
                    let known = Int(latest[hash])
                    latest[hash] = Int32(truncatingIfNeeded: place)
                    guard known >= 0, place - known <= farthest,
                        input.loadUnaligned(fromByteOffset: known, as: UInt32.self) == word
                    else {
                        place += 1 + (place - literals) >> patience
                        continue
                    }
                    var length = leastMatch
                    while place + length < end - lastLiterals, input[known + length] == input[place + length] {
                        length += 1
                    }
                    append(input[literals..<place], match: (place - known, length), to: &result)
                    place += length
                    literals = place
                }
            }
            append(input[literals...], match: nil, to: &result)
        }
    }

    private static func append(
        _ literals: Slice<UnsafeRawBufferPointer>, match: (distance: Int, length: Int)?, to result: inout [UInt8]
    ) {
        let rest = match.map { $0.length - leastMatch } ?? 0
        result.append(UInt8(min(literals.count, 15) << 4 | min(rest, 15)))
        append(length: literals.count, to: &result)
        result.append(contentsOf: literals)
        guard let match else { return }
        result.append(little: UInt16(truncatingIfNeeded: match.distance))
        append(length: rest, to: &result)
    }

    /// What of a length does not go into four bits.
    private static func append(length: Int, to result: inout [UInt8]) {
        guard length >= 15 else { return }
        var rest = length - 15
        while rest >= 255 {
            result.append(255)
            rest -= 255
        }
        result.append(UInt8(rest))
    }
}

extension [UInt8] {
    /// With the lowest byte first.
    mutating func append<Value: FixedWidthInteger>(little value: Value) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
