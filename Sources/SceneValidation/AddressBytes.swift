// Eight bytes at a time, in an integer: the addresses of a document are many and short.

import ColladaParser

/// What the bytes of an address say.
enum AddressBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    static func mayBeOdd(_ text: ColladaDocument.Node.ReferenceText) -> Bool {
        mayBeOdd(text.rest, isLocal: text.isLocal)
    }

    /// Whether a text may have a byte that an address may not hold everywhere, or a scheme; `false` is sure.
    ///
    /// - Parameters:
    ///   - text: The address; of a local one what follows its `#`, where a colon begins no scheme.
    static func mayBeOdd(_ text: UnsafeRawBufferPointer, isLocal: Bool) -> Bool {
        // Of a local one any byte that is looked for in any case.
        let other = isLocal ? UInt8(ascii: "%") : UInt8(ascii: ":")
        var at = 0
        while at &+ 8 <= text.count {
            if mayBeOdd(text.loadUnaligned(fromByteOffset: at, as: UInt64.self), other) { return true }
            at &+= 8
        }
        guard at < text.count else { return false }
        if text.count >= 8 {
            return mayBeOdd(text.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self), other)
        }
        // Filled up with a letter, which says nothing.
        var word = UInt64(UInt8(ascii: "a")) &* ones
        while at < text.count {
            word = word &<< 8 | UInt64(text[at])
            at &+= 1
        }
        return mayBeOdd(word, other)
    }

    /// Of eight bytes.
    @inline(__always)
    private static func mayBeOdd(_ word: UInt64, _ other: UInt8) -> Bool {
        // The high bit of a byte that is below the bound; where one is, those above it may be marked, too.
        @inline(__always) func below(_ bound: UInt64, _ word: UInt64) -> UInt64 { (word &- bound &* ones) & ~word }
        @inline(__always) func equal(_ byte: UInt8) -> UInt64 { below(1, word ^ UInt64(byte) &* ones) }
        let found =
            below(0x21, word) | equal(UInt8(ascii: "\\")) | equal(UInt8(ascii: "%")) | equal(0x7F) | equal(other)
        return found & highs != 0
    }
}
