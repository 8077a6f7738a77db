/// What nearly every text of a simple type looks like, so that most need no more than a look at each byte.
enum PlainForm: Sendable {
    /// Every text is right.
    case any
    case ncName
    /// A whole number from 0.
    case unsigned
    /// An address, or an id after `#`.
    case reference
    case other

    init(_ id: SimpleType.ID, _ models: ContentModels) {
        switch models[id].form {
        case .builtIn(let type):
            switch type {
            case .string, .token: self = .any
            case .name, .nmtoken, .ncName, .id, .idref: self = .ncName
            case .anyURI: self = .reference
            case .unsignedLong, .unsignedInt, .integer, .long, .nonNegativeInteger, .double, .float: self = .unsigned
            case .dateTime, .boolean, .hexBinary, .int, .short, .byte, .positiveInteger, .unsignedByte: self = .other
            }
        case .text(_, let form):
            switch form {
            case .uriFragment: self = .reference
            case .sidref, .email: self = .other
            }
        case .list, .values, .range, .union: self = .other
        }
    }

    /// Whether a text is surely of the type; `false` says nothing.
    func isSurely(_ text: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .any: return true
        case .ncName: return Self.isPlainName(text, from: 0)
        case .unsigned:
            guard (1...9).contains(text.count) else { return false }
            for byte in text where byte &- UInt8(ascii: "0") > 9 { return false }
            return true
        case .reference: return text.first == UInt8(ascii: "#") && Self.isPlainName(text, from: 1)
        case .other: return false
        }
    }

    private static func isPlainName(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        guard start < text.count, text[start] | 0x20 &- UInt8(ascii: "a") < 26 || text[start] == UInt8(ascii: "_")
        else { return false }
        for index in start..<text.count where !isInNames(text[index]) { return false }
        return true
    }

    /// Whether it is a letter, a digit or one of `-._` of ASCII, of which names consist.
    private static func isInNames(_ byte: UInt8) -> Bool {
        let word: UInt64 = byte < 0x40 ? 0x03FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return byte < 0x80 && word >> UInt64(byte & 0x3F) & 1 != 0
    }
}
