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

extension Span where Element == UInt8 {
    /// Where the token that begins at `start` ends: at white space, or the end.
    func tokenEnd(from start: Int) -> Int {
        var end = start
        while end < count, !Byte.isSpace(self[end]) { end += 1 }
        return end
    }

    /// Where a byte stands that is as asked, from `start` on; the count where none is.
    func firstIndex(from start: Int = 0, where isWanted: (UInt8) -> Bool) -> Int {
        var place = start
        while place < count, !isWanted(self[place]) { place += 1 }
        return place
    }

    /// Eight bytes, the first in the lowest place.
    @inline(__always)
    func eight(at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Whether a text of ASCII letters in lower case stands at `index`, in letters of any case.
    func hasText(_ name: StaticString, at index: Int) -> Bool {
        guard count - index >= name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { letters in
            for (place, letter) in letters.enumerated() {
                let byte = self[index + place]
                let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                guard byte == letter || isCapital && byte | 0x20 == letter else { return false }
            }
            return true
        }
    }
}

/// Eight bytes of text read at once: how many digits they begin with, and what those digits are worth.
struct DigitBlock {
    static let size = 8
    private static let powers: InlineArray<9, UInt64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    /// Each byte a digit's value 0...9 as far as ``count`` goes; the first character lies in the lowest byte.
    private let digits: UInt64
    /// 0...8.
    let count: Int

    /// - Parameter place: Eight bytes can be read there.
    @inline(__always)
    init(_ text: Span<UInt8>, at place: Int) {
        digits = text.eight(at: place) ^ 0x3030_3030_3030_3030
        // The top bit of each byte that is above 9. Carries run upwards only, past the first such byte.
        let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
        count = others.trailingZeroBitCount &>> 3
    }

    /// The digits as one number, 0 where there is none.
    @inline(__always)
    var value: UInt64 {
        // Zeros come before the digits; in two halves, since a shift by 64 would be none.
        let half = UInt64(truncatingIfNeeded: 32 &- 4 &* count)
        let eight = (digits &<< half) &<< half
        // Neighbours join: eight digits to four pairs, then all four at once, each by its power of ten.
        let pairs = eight &* 10 &+ (eight &>> 8)
        let outer = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ 1_000_000 &<< 32)
        let inner = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* (1 &+ 10_000 &<< 32)
        return (outer &+ inner) &>> 32
    }

    /// The digits written behind those of `number`, which wraps where they do not fit.
    @inline(__always)
    func appended(to number: UInt64) -> UInt64 { number &* Self.powers[count] &+ value }
}
