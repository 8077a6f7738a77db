/// Names of XML, by the productions of its fifth edition.
enum XMLNameForm {
    static func isName(_ text: Span<UInt8>) -> Bool { holds(text, canStart: true, allowsColon: true) }
    static func isNCName(_ text: Span<UInt8>) -> Bool { holds(text, canStart: true, allowsColon: false) }
    static func isNMTOKEN(_ text: Span<UInt8>) -> Bool { holds(text, canStart: false, allowsColon: true) }

    private static func holds(_ text: Span<UInt8>, canStart: Bool, allowsColon: Bool) -> Bool {
        guard text.count > 0 else { return false }
        var hasStarted = !canStart
        for index in text.indices {
            let byte = text[index]
            // Letters, digits and marks of ASCII: all but few names are made of them alone.
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard hasStarted else { return false }
            case UInt8(ascii: ":"):
                guard allowsColon else { return false }
            case 0x80...: return holdsBeyondASCII(text, canStart: canStart, allowsColon: allowsColon)
            default: return false  // bytes: no other may stand in a name
            }
            hasStarted = true
        }
        return true
    }

    private static func holdsBeyondASCII(_ text: Span<UInt8>, canStart: Bool, allowsColon: Bool) -> Bool {
        var isFirst = canStart
        for scalar in String(text).unicodeScalars {
            guard isFirst ? isStart(scalar) : isStart(scalar) || isWithin(scalar) else { return false }
            guard allowsColon || scalar != ":" else { return false }
            isFirst = false
        }
        return true
    }

    private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
            0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false  // integers: no other character begins a name
        }
    }

    private static func isWithin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false  // integers: no other character goes on with a name
        }
    }
}
