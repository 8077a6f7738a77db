/// A JSON text as a value. Objects are written with their keys sorted, so that equal values give equal bytes.
///
/// Ours and not a library's: reports hold a row for each of tens of thousands of elements, and the reals in them are
/// the shortest texts that read back the same.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Written as `null` unless finite.
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }

    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    public init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    public init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    public init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    public init(_ value: SIMD3<Double>) { self = .array([.real(value.x), .real(value.y), .real(value.z)]) }
    public init(_ values: [String]) { self = .array(values.map { .string($0) }) }
}

extension JSONValue {
    public enum Style: Sendable {
        /// One line.
        case compact
        /// Two spaces a level.
        case indented
    }

    /// As UTF-8, without a line end.
    public func text(_ style: Style) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self, level: 0)
        return writer.bytes
    }

    /// The text of an object of `members` and one list, whose elements are made one by one while they are written: they
    /// need not be there all at once.
    ///
    /// - Parameters:
    ///   - name: The list's key, which is none of the members'.
    ///   - element: Asked for 0..<`count`, in this order.
    public static func text(
        _ style: Style, _ members: [String: JSONValue], list name: String, count: Int, element: (Int) -> JSONValue
    ) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.writeList((Array(members.keys) + [name]).sorted(), "{", "}", 0) { writer, key in
            writer.writeKey(key)
            if key == name {
                writer.writeList(0..<count, "[", "]", 1) { $0.write(element($1), level: 2) }
            } else {
                writer.write(members[key] ?? .null, level: 1)
            }
        }
        return writer.bytes
    }
}

extension JSONValue {
    /// A list whose elements are made one by one while they are written.
    public struct List {
        public let name: String
        public let count: Int
        public let element: (Int) -> JSONValue

        /// - Parameter element: Asked for 0..<`count`, in this order.
        public init(_ name: String, count: Int, element: @escaping (Int) -> JSONValue) {
            self.name = name
            self.count = count
            self.element = element
        }
    }

    /// The text of an object of `members` and `lists`, no two of which have one name.
    public static func text(_ style: Style, _ members: [String: JSONValue], lists: [List]) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.writeList((members.keys + lists.map(\.name)).sorted(), "{", "}", 0) { writer, key in
            writer.writeKey(key)
            if let list = lists.first(where: { $0.name == key }) {
                writer.writeList(0..<list.count, "[", "]", 1) { $0.write(list.element($1), level: 2) }
            } else {
                writer.write(members[key] ?? .null, level: 1)
            }
        }
        return writer.bytes
    }
}

/// Depth is that of our own reports, so it recurses.
private struct JSONWriter {
    let style: JSONValue.Style
    var bytes: [UInt8] = []
    /// What a line begins with, by its level.
    private var lineStarts: [[UInt8]] = []
    /// The keys, sorted, of the object written last at each level: those of a list's rows are the same.
    private var orders: [[String]] = []

    init(style: JSONValue.Style) {
        self.style = style
    }

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .real(let value): write(value)
        case .string(let value): write(value)
        case .array(let values): writeList(values, "[", "]", level) { $0.write($1, level: level + 1) }
        case .object(let members):
            let values = sorted(members, level)
            writeList(values.indices, "{", "}", level) { writer, index in
                writer.writeKey(writer.orders[level][index])
                writer.write(values[index], level: level + 1)
            }
        }
    }

    /// The values in the order of their keys, which are then those of the level.
    private mutating func sorted(_ members: [String: JSONValue], _ level: Int) -> [JSONValue] {
        while orders.count <= level { orders.append([]) }
        if orders[level].count == members.count {
            let values = orders[level].compactMap { members[$0] }
            if values.count == members.count { return values }
        }
        let rows = members.sorted { $0.key < $1.key }
        orders[level] = rows.map(\.key)
        return rows.map(\.value)
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func writeKey(_ key: String) {
        write(key)
        append(style == .compact ? ":" : ": ")
    }

    mutating func writeList<Elements: Collection>(
        _ elements: Elements, _ open: String, _ close: String, _ level: Int,
        _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        append(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            newLine(level + 1)
            write(&self, element)
        }
        if !elements.isEmpty { newLine(level) }
        append(close)
    }

    private mutating func newLine(_ level: Int) {
        switch style {
        case .compact: break
        case .indented:
            while lineStarts.count <= level {
                let blanks = repeatElement(UInt8(ascii: " "), count: 2 * lineStarts.count)
                lineStarts.append([UInt8(ascii: "\n")] + blanks)
            }
            bytes.append(contentsOf: lineStarts[level])
        }
    }

    private mutating func write(_ value: Double) {
        guard value.isFinite else { return append("null") }
        if let whole = Int64(exactly: value), abs(whole) < 1 << 53 {
            append(value.sign == .minus && whole == 0 ? "0" : String(whole))
        } else {
            append(value.description)
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        guard Self.isOdd(text.utf8.span) else {
            bytes.append(contentsOf: text.utf8)
            bytes.append(UInt8(ascii: "\""))
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\r"): append("\\r")
            case UInt8(ascii: "\t"): append("\\t")
            case 0..<0x20, 0x7F: append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
            default: bytes.append(byte)  // bytes
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether anything in a text is written in another way than it is.
    private static func isOdd(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
        }
        return false
    }
}
