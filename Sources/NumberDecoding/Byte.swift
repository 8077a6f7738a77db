/// The bytes that numbers are made of.
enum Byte {
    static let space = UInt8(ascii: " ")
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let point = UInt8(ascii: ".")
    static let comma = UInt8(ascii: ",")
    static let zero = UInt8(ascii: "0")
    static let lowerE = UInt8(ascii: "e")

    /// Space, tab, line feed, carriage return: the white space of XML, and no other.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        let spaces: UInt64 = 1 << 0x20 | 1 << 0x09 | 1 << 0x0A | 1 << 0x0D
        return byte <= 0x20 && (spaces &>> UInt64(byte)) & 1 == 1
    }

    @inline(__always)
    static func isSign(_ byte: UInt8) -> Bool { byte == plus || byte == minus }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

    @inline(__always)
    static func isExponent(_ byte: UInt8) -> Bool { byte | 0x20 == lowerE }
}

extension UnsafeRawBufferPointer {
    /// The token from `start` up to white space or the end.
    func token(at start: Int) -> UnsafeRawBufferPointer {
        var end = start
        while end < count, !Byte.isSpace(self[end]) { end += 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
