// Text of a document in a message.

extension String {
    /// In quotes, with quotes, back-slashes and what cannot be seen escaped, and cut behind `limit` characters.
    package func quoted(_ limit: Int = 200) -> String { self[...].quoted(limit) }
}

extension Substring {
    /// In quotes, with quotes, back-slashes and what cannot be seen escaped, and cut behind `limit` characters.
    package func quoted(_ limit: Int = 200) -> String {
        // The library looks at each character, where nearly all text stands for itself.
        guard utf8.count <= limit, utf8.allSatisfy({ $0.isPlainInQuotes }) else {
            return prefix(limit).debugDescription
        }
        return "\"\(self)\""
    }
}

extension UInt8 {
    /// Whether it is a character that can be seen and that the library does not escape.
    fileprivate var isPlainInQuotes: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): false
        case 0x20..<0x7F: true
        default: false  // bytes
        }
    }
}
