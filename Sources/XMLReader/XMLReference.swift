/// A reference to a character, by its number or by one of the five names that need no declaration.
enum XMLReference {
    case character(UInt32, end: Int)
    /// Its end is not there yet.
    case cut
    /// None that is certainly allowed.
    case odd

    private static let longest = 12

    /// - Parameter at: Of the ampersand.
    static func read(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> XMLReference {
        let limit = min(count, at + longest)
        var end = at + 1
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit else { return limit == count && count < at + longest ? .cut : .odd }
        let name = UnsafeBufferPointer(start: bytes + at + 1, count: end - at - 1)
        guard let value = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : named(name) else { return .odd }
        return .character(value, end: end + 1)
    }

    private static func named(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let known: [(StaticString, UInt32)] = [
            ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27),
        ]
        for (text, value) in known
        where name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) {
            return value
        }
        return nil
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        let isHex = text.first == UInt8(ascii: "x")
        let digits = isHex ? text.dropFirst() : text
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        var value: UInt32 = 0
        for byte in digits {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: return nil  // bytes
            }
            value = value * (isHex ? 16 : 10) + digit
            guard value <= 0x10FFFF else { return nil }
        }
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return value
        default: return nil  // numbers
        }
    }

    /// Writes a character as UTF-8, at most 4 bytes; gives how many.
    static func write(_ value: UInt32, to room: UnsafeMutablePointer<UInt8>) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | value >> shift & 0x3F) }
        switch value {
        case ..<0x80:
            room[0] = UInt8(truncatingIfNeeded: value)
            return 1
        case ..<0x800:
            room[0] = UInt8(truncatingIfNeeded: 0xC0 | value >> 6)
            room[1] = tail(0)
            return 2
        case ..<0x10000:
            room[0] = UInt8(truncatingIfNeeded: 0xE0 | value >> 12)
            room[1] = tail(6)
            room[2] = tail(0)
            return 3
        default:  // numbers
            room[0] = UInt8(truncatingIfNeeded: 0xF0 | value >> 18)
            room[1] = tail(12)
            room[2] = tail(6)
            room[3] = tail(0)
            return 4
        }
    }
}
