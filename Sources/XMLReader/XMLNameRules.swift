// What is accepted here is less than XML allows: the rest is left to libxml2 to judge.

enum XMLNameRules {
    /// Bytes of a name; what is longer is odd enough.
    static let longest = 1000

    /// Whether the bytes, valid UTF-8, are certainly a name without a colon.
    static func isSurelyName(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count > 0, count <= longest else { return false }
        var at = 0
        while at < count {
            switch bytes[at] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                at += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard at > 0 else { return false }
                at += 1
            // U+00C0 to U+01FF but the signs of times and division, U+0400 to U+047F.
            case 0xC3 where at + 1 < count && bytes[at + 1] != 0x97 && bytes[at + 1] != 0xB7: at += 2
            case 0xC4...0xC7, 0xD0, 0xD1: at += 2
            // U+5000 to U+9FFF
            case 0xE5...0xE9: at += 3
            default: return false  // bytes
            }
        }
        return at == count
    }

    private static let reserved = ["http://www.w3.org/XML/1998", "http://www.w3.org/2000/xmlns"]

    /// Whether the text is certainly a namespace's name that nothing is to be said against.
    static func isSurelyNamespace(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, isLetter(first), text.count <= longest else { return false }
        var rest = text[...]
        for scheme in ["http://", "https://"] where text.starts(with: scheme.utf8) {
            rest = rest.dropFirst(scheme.utf8.count)
            guard let first = rest.first, isLetter(first) else { return false }
        }
        for name in reserved where text.starts(with: name.utf8) { return false }
        return rest.allSatisfy { byte in
            isLetter(byte) || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
