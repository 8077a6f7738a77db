/// An entry's name as text, and how it was found out what its bytes mean (APPNOTE 6.3, appendix D and section 4.6.9).
struct RawName {
    enum Encoding {
        /// ASCII, or UTF-8 with or without the flag that says so.
        case known
        /// Whatever the bytes are, the Unicode field beside them tells the name.
        case unicodeField
        /// Bytes without a word on what they are, that are no UTF-8.
        case codePage437
        /// The same, and in this page the names are found that documents have.
        case guessed(NamePage)
        /// Said to be UTF-8, and damaged.
        case mangledUTF8
    }

    let text: String
    let encoding: Encoding

    /// - Parameters:
    ///   - unicodePath: The body of the Unicode path field: version, CRC-32 of the raw name, UTF-8.
    ///   - decoder: For names that are neither said to be UTF-8 nor are.
    init(_ raw: ArraySlice<UInt8>, saysUTF8: Bool, unicodePath: ArraySlice<UInt8>?, decoder: NameDecoder? = nil) {
        if !saysUTF8, let unicodePath, let text = Self.checked(unicodePath, for: raw) {
            (self.text, encoding) = (text, .unicodeField)
        } else if let text = String(validating: raw, as: UTF8.self) {
            (self.text, encoding) = (text, .known)
        } else if saysUTF8 {
            (text, encoding) = (String(decoding: raw, as: UTF8.self), .mangledUTF8)
        } else if let decoder, let text = decoder.decode(raw) {
            (self.text, encoding) = (text, .guessed(decoder.page))
        } else {
            (text, encoding) = (CodePage437.decode(raw), .codePage437)
        }
    }

    /// The field's text, unless the name was changed since by a program that did not know the field.
    private static func checked(_ field: ArraySlice<UInt8>, for raw: ArraySlice<UInt8>) -> String? {
        let bytes = Array(field)
        guard bytes.first == 1, bytes.number32(at: 1) == CRC32.of(raw) else { return nil }
        return String(validating: bytes[5...], as: UTF8.self)
    }
}

/// CRC-32 as ZIP uses it (ISO 3309), for a few bytes at a time.
enum CRC32 {
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
