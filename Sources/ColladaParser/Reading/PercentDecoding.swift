extension String {
    /// Without the XML white space around it.
    var trimmed: String {
        guard let first = utf8.firstIndex(where: { $0 > 0x20 }), let last = utf8.lastIndex(where: { $0 > 0x20 }) else {
            return ""
        }
        return String(self[first...last])
    }

    /// With each `%` and two hexadecimal digits replaced by their byte, once; anything else as it is.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        let bytes = Array(utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
                let high = Character(UnicodeScalar(bytes[at + 1])).hexDigitValue,
                let low = Character(UnicodeScalar(bytes[at + 2])).hexDigitValue
            {
                decoded.append(UInt8(high << 4 | low))
                at += 3
            } else {
                decoded.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
