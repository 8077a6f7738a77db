// Eight bytes at a time, in an integer, or sixteen: the texts of markup are short.

import XMLReader

/// What short texts consist of.
enum PlainBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func load(_ base: UnsafeRawPointer, _ at: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    /// A text of at most eight bytes, with 0 behind it; no byte beyond it is read.
    @inline(__always)
    private static func word(_ base: UnsafeRawPointer, _ count: Int) -> UInt64 {
        switch count {
        case 8: return load(base, 0)
        case 4..<8:
            // The bytes in the middle are read twice, and fall on themselves.
            let low = UInt32(littleEndian: base.loadUnaligned(as: UInt32.self))
            let high = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(low) | UInt64(high) &<< UInt64(8 &* (count &- 4))
        case 1..<4:
            let (middle, last) = (count >> 1, count &- 1)
            let low = UInt64(base.load(as: UInt8.self))
            let mid = UInt64(base.load(fromByteOffset: middle, as: UInt8.self)) &<< UInt64(8 &* middle)
            return low | mid | UInt64(base.load(fromByteOffset: last, as: UInt8.self)) &<< UInt64(8 &* last)
        default: return 0
        }
    }

    // MARK: - White space

    /// Whether there is nothing but white space of XML.
    @inline(__always)
    static func areBlank(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let base = text.baseAddress else { return true }
        let count = text.count
        // Nearly always a newline, and blanks behind it.
        var at = count > 0 && base.load(as: UInt8.self) == 0x0A ? 1 : 0
        while at &+ 8 <= count {
            guard load(base, at) == 0x20 &* ones else { break }
            at &+= 8
        }
        let rest = count &- at
        if rest == 0 { return true }
        if rest < 8, count >= 8 {
            let beyond = UInt64(8 &* (8 &- rest))
            if load(base, count &- 8) &>> beyond == (0x20 &* ones) &>> beyond { return true }
        }
        return areBlank(text, from: at)
    }

    private static func areBlank(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        for index in start..<text.count where !text[index].isSpace { return false }
        return true
    }

    // MARK: - Names

    /// Whether it is a name of letters, digits and `-._` of ASCII alone, as nearly all are.
    @inline(__always)
    static func areName(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
        guard count > 0 else { return false }
        let first = base.load(as: UInt8.self)
        guard (first | 0x20) &- UInt8(ascii: "a") < 26 || first == UInt8(ascii: "_") else { return false }
        // Filled up with a letter, which says nothing.
        guard count >= 8 else { return areInNames(word(base, count) | fill(count)) }
        return NameBytes.areAll(base, count)
    }

    /// `a` behind the first so many bytes, fewer than eight.
    @inline(__always)
    private static func fill(_ count: Int) -> UInt64 {
        (UInt64(UInt8(ascii: "a")) &* ones) &<< UInt64(8 &* count)
    }

    /// Of eight bytes.
    @inline(__always)
    private static func areInNames(_ word: UInt64) -> Bool {
        // In each byte below 128 the high bit of a sum says whether it is at least, or above, a bound.
        let lower = word | 0x20 &* ones
        let letters = (lower &+ 0x1F &* ones) & ~(lower &+ 0x05 &* ones)
        let digits = (word &+ 0x50 &* ones) & ~(word &+ 0x46 &* ones)
        let marks = (word &+ 0x53 &* ones) & ~(word &+ 0x51 &* ones)
        let underscores = (word &+ 0x21 &* ones) & ~(word &+ 0x20 &* ones)
        return word & highs == 0 && (letters | digits | marks | underscores) & highs == highs
    }

    // MARK: - Words

    /// A text of at most ``longestWord`` bytes and without zeros, to be compared at once.
    struct Word: BitwiseCopyable, Equatable {
        let low: UInt64
        let high: UInt64
    }

    static let longestWord = 16

    /// `nil` for one that is empty or too long.
    @inline(__always)
    static func word(_ text: UnsafeRawBufferPointer) -> Word? {
        guard let base = text.baseAddress, (1...longestWord).contains(text.count) else { return nil }
        guard text.count > 8 else { return Word(low: word(base, text.count), high: 0) }
        return Word(low: load(base, 0), high: word(base + 8, text.count &- 8))
    }
}
