import URIReference

/// An address that is its own content.
///
/// - Source: RFC 2397, and RFC 4648 for the two alphabets of base 64.
package enum DataAddress {
    /// The bytes of a `data:` address; `nil` for any other text, and for base 64 that is none.
    package static func bytes(of text: String) -> [UInt8]? {
        let text = text.utf8.drop { $0 <= 0x20 }
        guard text.prefix(5).map({ $0 | 0x20 }) == Array("data:".utf8), let comma = text.firstIndex(of: 0x2C) else {
            return nil
        }
        let kind = String(Substring(text[..<comma])).lowercased()
        let content = String(Substring(text[text.index(after: comma)...]))
        let written = PercentEncoding.decodedBytes(content) ?? Array(content.utf8)
        let isPacked = kind.split(separator: ";").dropFirst().contains { $0.filter { $0 != " " } == "base64" }
        return isPacked ? base64(written) : written
    }

    /// White space is passed over, and the padding may be left out.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in text where byte > 0x20 && byte != 0x3D {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61 + 26)
        case 0x30...0x39: UInt32(byte - 0x30 + 52)
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
