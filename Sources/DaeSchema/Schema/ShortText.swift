import DaeXML

// Eight bytes at a time, in an integer, or sixteen: the texts of markup are short.

/// What short texts consist of.
enum ShortText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func load<Word: FixedWidthInteger & BitwiseCopyable>(
        _ text: Span<UInt8>, _ at: Int, as type: Word.Type = Word.self
    ) -> Word {
        Word(littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: at, as: type))
    }

    /// `count` bytes (0...8) from `at` on, with 0 behind them; no byte beyond them is read.
    @inline(__always)
    private static func word(_ text: Span<UInt8>, _ at: Int, _ count: Int) -> UInt64 {
        switch count {
        case 8: return load(text, at)
        case 4..<8:
            // The bytes in the middle are read twice, and fall on themselves.
            let low = load(text, at, as: UInt32.self)
            let high = load(text, at &+ count &- 4, as: UInt32.self)
            return UInt64(low) | UInt64(high) &<< UInt64(8 &* (count &- 4))
        case 1..<4:
            let (middle, last) = (count >> 1, count &- 1)
            let low = UInt64(text[at])
            let mid = UInt64(text[at &+ middle]) &<< UInt64(8 &* middle)
            return low | mid | UInt64(text[at &+ last]) &<< UInt64(8 &* last)
        default: return 0
        }
    }

    // MARK: - White space

    /// Whether there is nothing but white space of XML.
    @inline(__always)
    static func isBlank(_ text: Span<UInt8>) -> Bool {
        let count = text.count
        // Nearly always a newline, and blanks behind it.
        var at = count > 0 && text[0] == 0x0A ? 1 : 0
        while at &+ 8 <= count {
            guard load(text, at) == 0x20 &* ones else { break }
            at &+= 8
        }
        let rest = count &- at
        if rest == 0 { return true }
        if rest < 8, count >= 8 {
            let beyond = UInt64(8 &* (8 &- rest))
            if load(text, count &- 8) &>> beyond == (0x20 &* ones) &>> beyond { return true }
        }
        return isBlank(text, from: at)
    }

    private static func isBlank(_ text: Span<UInt8>, from start: Int) -> Bool {
        for index in start..<text.count where !text[index].isSpace { return false }
        return true
    }

    // MARK: - Names

    /// Whether from `start` on it is a name of letters, digits and `-._` of ASCII alone, as nearly all are.
    @inline(__always)
    static func isName(_ text: Span<UInt8>, from start: Int = 0) -> Bool {
        let count = text.count &- start
        guard count > 0 else { return false }
        guard (text[start] | 0x20) &- UInt8(ascii: "a") < 26 || text[start] == UInt8(ascii: "_") else { return false }
        // Filled up with a letter, which says nothing.
        guard count >= 8 else { return areInNames(word(text, start, count) | fill(count)) }
        return NameBytes.areAll(text, from: start)
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
    static func word(_ text: Span<UInt8>) -> Word? {
        guard (1...longestWord).contains(text.count) else { return nil }
        guard text.count > 8 else { return Word(low: word(text, 0, text.count), high: 0) }
        return Word(low: load(text, 0), high: word(text, 8, text.count &- 8))
    }
}
