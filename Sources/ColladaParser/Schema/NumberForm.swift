/// How numbers, and the few other texts made of letters and digits, are written in a schema's types.
enum NumberForm {
    /// How far from 0 a whole number may be on one side.
    enum Reach {
        /// Not at all.
        case none
        /// As far as this number, in digits.
        case to(StaticString)
        case any
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// A decimal number, with or without an exponent, or `INF`, `-INF`, `NaN`.
    static func isReal(_ text: Span<UInt8>) -> Bool {
        let count = text.count
        var at = 0
        if count > 0, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") { at = 1 }
        let start = at
        while at < count, isDigit(text[at]) { at += 1 }
        var digits = at - start
        if at < count, text[at] == UInt8(ascii: ".") {
            at += 1
            let point = at
            while at < count, isDigit(text[at]) { at += 1 }
            digits += at - point
        }
        guard digits > 0 else { return equals(text, "INF") || equals(text, "-INF") || equals(text, "NaN") }
        guard at < count else { return true }
        guard text[at] | 0x20 == UInt8(ascii: "e") else { return false }
        at += 1
        if at < count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") { at += 1 }
        let exponent = at
        while at < count, isDigit(text[at]) { at += 1 }
        return at == count && at > exponent
    }

    /// Digits alone, at most `limit`.
    static func isUnsigned(_ text: Span<UInt8>, to limit: StaticString) -> Bool {
        guard text.count > 0, isDigit(text[0]) else { return false }
        return isInteger(text, negative: .none, positive: .to(limit))
    }

    /// A whole number, any number of zeros before it.
    static func isInteger(_ text: Span<UInt8>, negative: Reach, positive: Reach) -> Bool {
        var at = 0
        var reach = positive
        if text.count > 0 {
            if text[0] == UInt8(ascii: "-") { (at, reach) = (1, negative) }
            if text[0] == UInt8(ascii: "+") { at = 1 }
        }
        guard at < text.count else { return false }
        while at < text.count, text[at] == UInt8(ascii: "0") { at += 1 }
        for index in at..<text.count where !isDigit(text[index]) { return false }
        switch reach {
        case .any: return true
        case .none: return false
        case .to(let limit):
            return limit.withUTF8Buffer { limit in
                // "0" allows no digit but zeros, which are passed already.
                let most = limit.elementsEqual("0".utf8) ? 0 : limit.count
                guard text.count - at == most else { return text.count - at < most }
                for index in 0..<most where text[at + index] != limit[index] {
                    return text[at + index] < limit[index]
                }
                return true
            }
        }
    }

    /// Zeros and nothing else but a sign.
    static func isZero(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[index]) { return false }
        return true
    }

    static func isBoolean(_ text: Span<UInt8>) -> Bool {
        equals(text, "true") || equals(text, "false") || equals(text, "1") || equals(text, "0")
    }

    /// An even number of hexadecimal digits, or nothing.
    static func isHexadecimal(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where !isDigit(text[index]) && (text[index] | 0x20) &- UInt8(ascii: "a") > 5 {
            return false
        }
        return text.count.isMultiple(of: 2)
    }

    /// Its value, near enough to hold it against a limit; `nil` for no number.
    static func value(_ text: Span<UInt8>) -> Double? {
        if equals(text, "INF") { return .infinity }
        if equals(text, "-INF") { return -.infinity }
        if equals(text, "NaN") { return .nan }
        return Double(String(text))
    }

    static func equals(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            guard text.count == word.count else { return false }
            for index in 0..<word.count where text[index] != word[index] { return false }
            return true
        }
    }
}

extension String {
    init(_ text: Span<UInt8>) {
        self = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
