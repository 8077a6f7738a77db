// What is accepted here is less than XML allows: the rest is left to libxml2 to judge.

import CTextScan

enum XMLNameRules {
    /// Bytes of a name; libxml2 judges a longer one.
    static let longest = 1000

    /// Whether a name may begin with the byte.
    static func mayBegin(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 }

    /// Whether a byte ends a name.
    @inline(__always)
    static func endsName(_ byte: UInt8) -> Bool {
        // `<`, `=`, `>` and `?` differ in two bits.
        byte <= 0x20 || byte == UInt8(ascii: "/") || byte & 0xFC == 0x3C
    }

    /// Where the name that begins at `from` ends; the count where it does not.
    static func nameEnd(_ bytes: Span<UInt8>, _ from: Int) -> Int {
        var at = from
        while at &+ 8 <= bytes.count {
            let word = bytes.word(at: at)
            // `<`, `=`, `>` and `?` differ in two bits.
            let ends =
                ByteWord.below(0x21, word) | ByteWord.matches(UInt8(ascii: "/"), word)
                | ByteWord.matches(0x3C, word & ByteWord.repeated(0xFC))
            if ends != 0 { return at &+ ByteWord.index(ends) }
            at &+= 8
        }
        while at < bytes.count, !endsName(bytes[at]) { at &+= 1 }
        return at
    }

    /// Whether bytes of valid UTF-8 are certainly a name without a colon.
    static func isSurelyName(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Bool {
        guard end > from, end - from <= longest else { return false }
        var at = from
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                at += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard at > from else { return false }
                at += 1
            // U+00C0 to U+01FF but the signs of times and division, U+0400 to U+047F.
            case 0xC3 where at + 1 < end && bytes[at + 1] != 0x97 && bytes[at + 1] != 0xB7: at += 2
            case 0xC4...0xC7, 0xD0, 0xD1: at += 2
            // U+5000 to U+9FFF
            case 0xE5...0xE9: at += 3
            default: return false
            }
        }
        return at == end
    }

    private static let schemes: [StaticString] = ["http://", "https://"]
    private static let reserved: [StaticString] = ["http://www.w3.org/XML/1998", "http://www.w3.org/2000/xmlns"]

    /// Whether a text is certainly the name of a namespace that may be declared.
    static func isSurelyNamespace(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0, isLetter(text[0]), text.count <= longest else { return false }
        var at = 0
        for scheme in schemes where text.hasText(scheme) {
            at = scheme.utf8CodeUnitCount
            guard at < text.count, isLetter(text[at]) else { return false }
        }
        for name in reserved where text.hasText(name) { return false }
        while at < text.count {
            let byte = text[at]
            guard isLetter(byte) || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_") else {
                return false
            }
            at += 1
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}

/// What the texts of ids and names consist of, sixteen bytes at a time.
package enum NameBytes {
    /// Whether the bytes from `start` on, at least 8, are letters, digits, `-`, `.` and `_` of ASCII alone.
    package static func areAll(_ text: Span<UInt8>, from start: Int = 0) -> Bool {
        precondition(text.count - start >= 8, "fewer bytes than are read")
        return dae_are_in_names(text.address(start), text.count - start) != 0
    }
}
