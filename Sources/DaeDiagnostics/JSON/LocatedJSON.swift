// What a person wrote by hand is read here, so each value knows its line; the standard decoder does not say, and would
// cost every start of a program that links it.

/// A JSON value (RFC 8259) and the line it begins on.
package struct LocatedJSON: Sendable {
    package indirect enum Value: Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        /// With a point or an exponent, or of more than 63 bits.
        case real(Double)
        case string(String)
        case array([LocatedJSON])
        /// In the order of the file.
        case object([(key: String, line: Int, value: LocatedJSON)])
    }
    package let value: Value
    /// From 1.
    package let line: Int

    /// What is wrong with a text.
    package struct Fault: Error {
        package let line: Int
        package let message: String
    }

    package var string: String? { if case .string(let text) = value { text } else { nil } }
    package var array: [LocatedJSON]? { if case .array(let values) = value { values } else { nil } }

    /// A member of an object; the last of several.
    package subscript(key: String) -> LocatedJSON? {
        if case .object(let members) = value { members.last { $0.key == key }?.value } else { nil }
    }

    /// Every value in a text, one behind the other, as in a file of one object a line.
    package static func values(in text: [UInt8]) throws(Fault) -> [LocatedJSON] {
        var reader = LocatedJSONReader(text)
        var values: [LocatedJSON] = []
        while try !reader.isAtEnd() { values.append(try reader.value(depth: 0)) }
        return values
    }

    /// The one value that a text is.
    package static func value(in text: [UInt8]) throws(Fault) -> LocatedJSON {
        var reader = LocatedJSONReader(text)
        let value = try reader.value(depth: 0)
        guard try reader.isAtEnd() else { throw reader.fault("nothing more is expected here") }
        return value
    }
}

extension JSONValue {
    /// The one value that a JSON text is; of members of one name the last.
    package init(text: [UInt8]) throws(LocatedJSON.Fault) { self.init(try LocatedJSON.value(in: text)) }

    private init(_ json: LocatedJSON) {
        switch json.value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .string(let text): self = .string(text)
        case .array(let values): self = .array(values.map(JSONValue.init))
        case .object(let members):
            self = .object(
                Dictionary(members.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { _, last in last }))
        }
    }
}

/// Recurses at most ``limit`` deep.
private struct LocatedJSONReader {
    private static let limit = 64
    private let text: [UInt8]
    private var at = 0
    private var line = 1

    init(_ text: [UInt8]) {
        self.text = text
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    mutating func isAtEnd() throws(LocatedJSON.Fault) -> Bool {
        skipSpace()
        return at == text.count
    }

    func fault(_ message: String) -> LocatedJSON.Fault { LocatedJSON.Fault(line: line, message: message) }

    private mutating func skipSpace() {
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            at += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard at < text.count, text[at] == byte else { return false }
        at += 1
        return true
    }

    mutating func value(depth: Int) throws(LocatedJSON.Fault) -> LocatedJSON {
        skipSpace()
        guard depth < Self.limit else { throw fault("nested deeper than \(Self.limit)") }
        guard at < text.count else { throw fault("the text ends where a value is expected") }
        let start = line
        let value: LocatedJSON.Value
        switch text[at] {
        case UInt8(ascii: "{"): value = .object(try members(depth))
        case UInt8(ascii: "["): value = .array(try elements(depth))
        case UInt8(ascii: "\""): value = .string(try string())
        case UInt8(ascii: "t"): value = try word("true", .bool(true))
        case UInt8(ascii: "f"): value = try word("false", .bool(false))
        case UInt8(ascii: "n"): value = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = try number()
        default: throw fault("expected a value")
        }
        return LocatedJSON(value: value, line: start)
    }

    private mutating func members(_ depth: Int) throws(LocatedJSON.Fault) -> [(String, Int, LocatedJSON)] {
        at += 1
        var members: [(String, Int, LocatedJSON)] = []
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard at < text.count, text[at] == UInt8(ascii: "\"") else { throw fault("expected a key in quotes") }
            let start = line
            let key = try string()
            guard take(UInt8(ascii: ":")) else { throw fault("expected : after the key") }
            members.append((key, start, try value(depth: depth + 1)))
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw fault("expected , or }") }
        }
    }

    private mutating func elements(_ depth: Int) throws(LocatedJSON.Fault) -> [LocatedJSON] {
        at += 1
        var elements: [LocatedJSON] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw fault("expected , or ]") }
        }
    }

    private mutating func word(
        _ word: StaticString, _ value: LocatedJSON.Value
    ) throws(LocatedJSON.Fault) -> LocatedJSON.Value {
        let bytes = word.withUTF8Buffer { Array($0) }
        guard text[at...].starts(with: bytes) else { throw fault("expected a value") }
        at += bytes.count
        return value
    }

    private mutating func number() throws(LocatedJSON.Fault) -> LocatedJSON.Value {
        let start = at
        while at < text.count, "+-.0123456789eE".utf8.contains(text[at]) { at += 1 }
        let word = text[start..<at]
        guard word.count <= 400, Self.isNumber(word) else { throw fault("a number cannot be read") }
        let digits = String(decoding: word, as: UTF8.self)
        if let integer = Int64(digits) { return .integer(integer) }
        guard let real = Double(digits), real.isFinite else { throw fault("a number cannot be read") }
        return .real(real)
    }

    /// Without a sign or a zero more than the grammar has, and with digits on both sides of a point.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        var rest = word
        func takeDigits() -> Int {
            let digits = rest.prefix(while: isDigit)
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let first = rest.first
        let whole = takeDigits()
        guard whole == 1 || whole > 1 && first != UInt8(ascii: "0") else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard takeDigits() > 0 else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard takeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private mutating func string() throws(LocatedJSON.Fault) -> String {
        at += 1
        var bytes: [UInt8] = []
        while at < text.count {
            let byte = text[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("a text is no UTF-8") }
                return text
            case UInt8(ascii: "\\"): try escape(&bytes)
            case 0..<0x20: throw fault("a text is not closed, or holds a control character")
            default: bytes.append(byte)
            }
        }
        throw fault("a text is not closed")
    }

    private mutating func escape(_ bytes: inout [UInt8]) throws(LocatedJSON.Fault) {
        guard at < text.count else { throw fault("a text is not closed") }
        let byte = text[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(8)
        case UInt8(ascii: "f"): bytes.append(12)
        case UInt8(ascii: "n"): bytes.append(10)
        case UInt8(ascii: "r"): bytes.append(13)
        case UInt8(ascii: "t"): bytes.append(9)
        case UInt8(ascii: "u"): bytes += String(Character(try scalar())).utf8
        default: throw fault("an escape in a text is unknown")
        }
    }

    private mutating func scalar() throws(LocatedJSON.Fault) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, text[at...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            throw fault("half a character stands in a text")
        }
        at += 2
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half a character stands in a text") }
        return scalar
    }

    private mutating func unit() throws(LocatedJSON.Fault) -> UInt32 {
        guard at + 4 <= text.count,
            text[at..<at + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(String(decoding: text[at..<at + 4], as: UTF8.self), radix: 16)
        else { throw fault("\\u needs four hexadecimal digits") }
        at += 4
        return unit
    }
}
