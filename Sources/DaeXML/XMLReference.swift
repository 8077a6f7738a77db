/// A reference to a character, by its number or by one of the five names that need no declaration.
enum XMLReference {
    case character(Unicode.Scalar, end: Int)
    /// Its end is not there yet.
    case cut
    /// None that is certainly allowed.
    case unsure

    private static let longest = 12

    /// Reads the reference whose ampersand is at `index`.
    init(_ bytes: Span<UInt8>, at index: Int, before count: Int) {
        let limit = min(count, index + Self.longest)
        var end = index + 1
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        if end == limit {
            self = limit == count && count < index + Self.longest ? .cut : .unsure
        } else if let character = Self.character(bytes, index + 1, end) {
            self = .character(character, end: end + 1)
        } else {
            self = .unsure
        }
    }

    private static func character(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Unicode.Scalar? {
        guard from < end else { return nil }
        if bytes[from] == UInt8(ascii: "#") { return number(bytes, from + 1, end) }
        let known: [(StaticString, Unicode.Scalar)] = [
            ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
        ]
        for (name, character) in known where name.utf8CodeUnitCount == end - from && bytes.hasText(name, at: from) {
            return character
        }
        return nil
    }

    private static func number(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Unicode.Scalar? {
        let isHex = from < end && bytes[from] == UInt8(ascii: "x")
        let start = isHex ? from + 1 : from
        guard (1...8).contains(end - start) else { return nil }
        var value: UInt32 = 0
        for place in start..<end {
            let byte = bytes[place]
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: return nil
            }
            value = value * (isHex ? 16 : 10) + digit
            guard value <= 0x10FFFF else { return nil }
        }
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return Unicode.Scalar(value)
        default: return nil
        }
    }
}
