/// Percent-encoding as in RFC 3986, 2.1.
package enum PercentEncoding {
    /// The text with every `%` and two hexadecimal digits undone, once; other `%` stay.
    ///
    /// `nil` where there is nothing to undo, or where what comes out is no UTF-8.
    package static func decode(_ text: String) -> String? {
        decodedBytes(text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The same, whatever the bytes are; `nil` where there is nothing to undo.
    package static func decodedBytes(_ text: String) -> [UInt8]? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let (bytes, found) = decoded(text.utf8)
        return found.encoded > 0 ? bytes : nil
    }

    /// Every `%` and two hexadecimal digits undone; other `%` stay.
    package static func decodedBytes(_ bytes: [UInt8]) -> [UInt8] { decoded(bytes).bytes }

    /// A text in which each `%` stands for a byte; `nil` for a `%` without two hexadecimal digits, and where what comes
    /// out is no UTF-8.
    package static func decodeStrictly(_ text: some StringProtocol) -> String? {
        let (bytes, found) = decoded(text.utf8)
        return found.others == 0 ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// All but letters, digits, `-._~` and what is kept as `%` and two digits. Source: RFC 3986, 2.1 and 2.3.
    ///
    /// - Parameter kept: ASCII characters beside those.
    package static func encode(_ text: String, keeping kept: String = "") -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            default:
                if "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
                    bytes.append(byte)
                } else {
                    bytes += "%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: How many `%` were undone, and how many stayed.
    private static func decoded(_ text: some Collection<UInt8>) -> (bytes: [UInt8], found: (encoded: Int, others: Int))
    {
        let percent = UInt8(ascii: "%")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        var found = (encoded: 0, others: 0)
        while let byte = rest.popFirst() {
            var ahead = rest
            if byte == percent, let high = digit(ahead.popFirst()), let low = digit(ahead.popFirst()) {
                bytes.append(high << 4 | low)
                rest = ahead
                found.encoded += 1
            } else {
                bytes.append(byte)
                if byte == percent { found.others += 1 }
            }
        }
        return (bytes, found)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): return byte - UInt8(ascii: "A") + 10
        default: return nil
        }
    }
}
