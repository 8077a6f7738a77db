/// Makes UTF-8 of UTF-16, however that is cut into pieces.
package struct UTF16Decoding: Sendable {
    private let isLittleEndian: Bool
    /// The first half of a unit.
    private var half: UInt8?
    /// The first half of a pair.
    private var high: UInt32?

    /// - Parameter start: At least two bytes of a document; `nil` where they are neither UTF-16's mark nor its `<`.
    package init?(documentStart start: some Collection<UInt8>) {
        let start = Array(start.prefix(2))
        switch start {
        case [0xFF, 0xFE], [0x3C, 0]: isLittleEndian = true
        case [0xFE, 0xFF], [0, 0x3C]: isLittleEndian = false
        default: return nil
        }
    }

    /// The next bytes; the mark at the front is left out.
    package mutating func utf8(of bytes: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count / 2)
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let unit = isLittleEndian ? UInt32(byte) << 8 | UInt32(first) : UInt32(first) << 8 | UInt32(byte)
            switch unit {
            case 0xFEFF: break
            case 0..<0x80: out.append(UInt8(unit))
            case 0xD800..<0xDC00: high = unit
            case 0xDC00..<0xE000:
                if let high { Self.append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &out) }
                high = nil
            default: Self.append(unit, to: &out)
            }
        }
        return out
    }

    private static func append(_ value: UInt32, to out: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        out.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
}
