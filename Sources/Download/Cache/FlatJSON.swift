// The records of the cache are small and flat, and anybody may have written over them: what is not exactly such a record
// is none.

import Diagnostics

/// Reads a JSON object of strings, whole numbers and nulls.
struct FlatJSON {
    private var rest: ArraySlice<UInt8>

    /// The members; `nil` for any other text, and for one that names a member twice.
    static func members(of bytes: [UInt8]) -> [String: JSONValue]? {
        var reader = FlatJSON(rest: bytes[...])
        return reader.object()
    }

    private mutating func object() -> [String: JSONValue]? {
        guard take("{") else { return nil }
        var members: [String: JSONValue] = [:]
        if !take("}") {
            repeat {
                guard let name = string(), take(":"), let value = value(), members[name] == nil else { return nil }
                members[name] = value
            } while take(",")
            guard take("}") else { return nil }
        }
        skipSpace()
        return rest.isEmpty ? members : nil
    }

    private mutating func value() -> JSONValue? {
        skipSpace()
        guard rest.first != UInt8(ascii: "\"") else { return string().map { .string($0) } }
        let word = rest.prefix { ($0 | 0x20) >= UInt8(ascii: "a") || $0 == UInt8(ascii: "-") || isDigit($0) }
        rest = rest.dropFirst(word.count)
        let text = String(decoding: word, as: UTF8.self)
        return text == "null" ? .null : text.hasPrefix("+") ? nil : Int64(text).map { .integer($0) }
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                text += escaped
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Surrogates are not put together: our own writer has no use for them.
    private mutating func escape() -> [UInt8]? {
        guard let byte = rest.popFirst() else { return nil }
        switch byte {
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"):
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { return nil }
            return Array(String(scalar).utf8)
        default: return nil
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == 0x20 || (0x09...0x0a).contains($0) || $0 == 0x0d }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
