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
        let percent = UInt8(ascii: "%")
        guard text.utf8.contains(percent) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        var isChanged = false
        while let byte = rest.popFirst() {
            var ahead = rest
            if byte == percent, let high = digit(ahead.popFirst()), let low = digit(ahead.popFirst()) {
                bytes.append(high << 4 | low)
                rest = ahead
                isChanged = true
            } else {
                bytes.append(byte)
            }
        }
        return isChanged ? bytes : nil
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
