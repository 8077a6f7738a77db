// The standard library reads no JSON, and Foundation's reader would cost every start of a program that links this.

import Diagnostics

/// Reads one JSON text (RFC 8259). Recurses at most ``limit`` deep.
struct JSONReader {
    /// What is no JSON, by the byte where it shows, from 0.
    struct Fault: Error {
        let byte: Int
    }

    private static let limit = 64
    private let text: [UInt8]
    private var at = 0

    private init(_ text: [UInt8]) { self.text = text }

    static func value(_ text: [UInt8]) throws(Fault) -> JSONValue {
        var reader = JSONReader(text)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.at == text.count else { throw reader.fault }
        return value
    }

    private var fault: Fault { Fault(byte: at) }

    private var next: UInt8? { at < text.count ? text[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || (0x09...0x0d).contains(byte) { at += 1 }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        guard depth < Self.limit else { throw fault }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()  // bytes
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Fault) -> JSONValue {
        guard text[at...].starts(with: word.utf8) else { throw fault }
        at += word.utf8.count
        return value
    }

    private mutating func object(_ depth: Int) throws(Fault) -> JSONValue {
        at += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault }
            let key = try string()
            skipSpace()
            guard take(":") else { throw fault }
            members[key] = try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw fault }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(Fault) -> JSONValue {
        at += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(values) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw fault }
        return .array(values)
    }

    private mutating func number() throws(Fault) -> JSONValue {
        let start = at
        while let byte = next, byte < 0x80, "+-.0123456789eE".utf8.contains(byte) { at += 1 }
        let word = String(decoding: text[start..<at], as: UTF8.self)
        if let integer = Int64(word) { return .integer(integer) }
        guard let real = Double(word), real.isFinite else { throw Fault(byte: start) }
        return .real(real)
    }

    private mutating func string() throws(Fault) -> String {
        at += 1
        var bytes: [UInt8] = []
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: bytes, as: UTF8.self) else { throw fault }
                return text
            case UInt8(ascii: "\\"): try escape(into: &bytes)
            case 0..<0x20: throw fault
            default: bytes.append(byte)  // bytes
            }
        }
        throw fault
    }

    private mutating func escape(into bytes: inout [UInt8]) throws(Fault) {
        guard let byte = next else { throw fault }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0c)
        case UInt8(ascii: "n"): bytes.append(0x0a)
        case UInt8(ascii: "r"): bytes.append(0x0d)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes += Array(String(Character(try scalar())).utf8)
        default: throw fault  // bytes
        }
    }

    private mutating func scalar() throws(Fault) -> Unicode.Scalar {
        let high = try unit()
        guard (0xd800..<0xdc00).contains(high) else {
            guard let scalar = Unicode.Scalar(high) else { throw fault }
            return scalar
        }
        guard take("\\"), take("u") else { throw fault }
        let low = try unit()
        guard (0xdc00..<0xe000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + low - 0xdc00)
        else { throw fault }
        return scalar
    }

    private mutating func unit() throws(Fault) -> UInt32 {
        guard at + 4 <= text.count, text[at..<at + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(String(decoding: text[at..<at + 4], as: UTF8.self), radix: 16)
        else { throw fault }
        at += 4
        return unit
    }
}
