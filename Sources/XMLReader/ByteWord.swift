// Eight bytes at a time, in an integer: quicker for the short runs that markup is made of than a call of the C library.

enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// The first `count` (0...8) bytes, the rest 0. `readable` says how many may be read.
    static func load(_ bytes: UnsafePointer<UInt8>, count: Int, readable: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        if readable >= 8 { return load(bytes) & (UInt64.max >> UInt64(truncatingIfNeeded: 8 &* (8 &- count))) }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(bytes[index]) << UInt64(8 &* index) }
        return word
    }

    /// The bits of the first so many bytes, none for 0 or less, all for 8 or more.
    static func mask(_ count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        return count >= 8 ? .max : UInt64.max >> UInt64(truncatingIfNeeded: 8 &* (8 &- count))
    }

    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* ones }

    /// The high bits of bytes that are 0; the lowest of them is right, those above it may be too many.
    static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

    /// The high bits of bytes that are 0, each of them right.
    static func exactZeros(_ word: UInt64) -> UInt64 { ~(((word & ~highs) &+ ~highs) | word | ~highs) }

    /// The high bits of bytes below `bound` (at most 0x80); the lowest of them is right.
    static func below(_ bound: UInt8, _ word: UInt64) -> UInt64 { (word &- repeated(bound)) & ~word & highs }

    /// The high bits of bytes below `bound` (at most 0x80), each of them right.
    static func exactBelow(_ bound: UInt8, _ word: UInt64) -> UInt64 {
        ~((word | highs) &- repeated(bound)) & ~word & highs
    }

    /// Which byte the lowest of such bits stands in.
    static func index(_ bits: UInt64) -> Int { bits.trailingZeroBitCount >> 3 }
}
