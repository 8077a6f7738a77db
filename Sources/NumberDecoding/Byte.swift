/// The bytes that numbers are made of.
enum Byte {
    static let space = UInt8(ascii: " ")
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let point = UInt8(ascii: ".")
    static let comma = UInt8(ascii: ",")
    static let zero = UInt8(ascii: "0")
    static let lowerE = UInt8(ascii: "e")

    /// Space, tab, line feed, carriage return: the white space of XML, and no other.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        let spaces: UInt64 = 1 << 0x20 | 1 << 0x09 | 1 << 0x0A | 1 << 0x0D
        return byte <= 0x20 && (spaces &>> UInt64(byte)) & 1 == 1
    }

    @inline(__always)
    static func isSign(_ byte: UInt8) -> Bool { byte == plus || byte == minus }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

    @inline(__always)
    static func isExponent(_ byte: UInt8) -> Bool { byte | 0x20 == lowerE }
}

extension UnsafeRawBufferPointer {
    /// The token from `start` up to white space or the end.
    func token(at start: Int) -> UnsafeRawBufferPointer {
        var end = start
        while end < count, !Byte.isSpace(self[end]) { end += 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

/// Text that the hot loops may read without a bound at every byte: its last byte is white space, so every token ends
/// inside it, and ``padding`` bytes of anything can be read behind it, so eight bytes may be loaded wherever a token is.
package struct PaddedText {
    static let padding = 8
    /// White space enough behind a text that all of it lies in its ``PaddedText``, in bytes.
    static let room = padding + 1

    let base: UnsafeRawPointer
    let count: Int

    /// Takes text that keeps the promise.
    init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    /// Takes the longest beginning of `bytes` that keeps the promise; `nil` where there is none.
    init?(longestIn bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        var count = bytes.count - Self.padding
        while count > 0, !Byte.isSpace(bytes[count - 1]) { count -= 1 }
        guard count > 0 else { return nil }
        self.base = base
        self.count = count
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
}

extension UnsafeRawBufferPointer {
    /// The token at a place in a ``PaddedText``.
    init(tokenAt start: UnsafeRawPointer) {
        var end = start
        while !Byte.isSpace(end.load(as: UInt8.self)) { end += 1 }
        self.init(start: start, count: end - start)
    }
}

/// Eight bytes of text read at once: how many digits they begin with, and what those digits are worth.
struct DigitBlock {
    static let size = 8
    static let powers: InlineArray<9, UInt64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    /// Each byte a digit's value 0...9 as far as ``count`` goes; the first character lies in the lowest byte.
    private let digits: UInt64
    /// 0...8.
    let count: Int

    @inline(__always)
    init(at place: UnsafeRawPointer) {
        digits = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
        // The top bit of each byte that is above 9. Carries run upwards only, past the first such byte.
        let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
        count = others.trailingZeroBitCount &>> 3
    }

    /// The digits as one number, 0 where there is none.
    @inline(__always)
    var value: UInt64 {
        // Zeros come before the digits; in two halves, since a shift by 64 would be none.
        let half = UInt64(truncatingIfNeeded: 32 &- 4 &* count)
        return Self.joined((digits &<< half) &<< half)
    }

    /// Eight digits, the first in the lowest byte, as one number.
    @inline(__always)
    private static func joined(_ eight: UInt64) -> UInt64 {
        // Neighbours join: eight digits to four pairs, then all four at once, each by its power of ten.
        let pairs = eight &* 10 &+ (eight &>> 8)
        let outer = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ 1_000_000 &<< 32)
        let inner = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* (1 &+ 10_000 &<< 32)
        return (outer &+ inner) &>> 32
    }

    /// The number that ends before `end`, of so many digits (0...8); `nil` where not all of them are digits. Eight bytes
    /// before `end` can be read.
    @inline(__always)
    static func value(of count: Int, before end: UnsafeRawPointer) -> UInt64? {
        let half = UInt64(truncatingIfNeeded: 32 &- 4 &* count)
        let eight = UInt64(littleEndian: (end - size).loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
        let digits = (((eight &>> half) &>> half) &<< half) &<< half
        guard ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
        return joined(digits)
    }

    /// The digits written behind those of `number`, which wraps where they do not fit.
    @inline(__always)
    func appended(to number: UInt64) -> UInt64 { number &* Self.powers[count] &+ value }
}
