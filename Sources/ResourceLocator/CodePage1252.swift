/// Latin-1 as Windows has it: what programs of Western Europe write where they know no UTF-8.
enum CodePage1252 {
    /// 0x80 to 0x9F; where Windows has no letter stands the control character of Latin-1.
    private static let special = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    static func decode(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80..<0xA0).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    /// `nil` for a letter that it lacks. The control characters of Latin-1 are taken, too.
    static func encode(_ scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        return special.firstIndex(of: scalar).map { UInt8($0 + 0x80) }
    }
}
