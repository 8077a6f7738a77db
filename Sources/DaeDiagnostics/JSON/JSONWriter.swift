import DaeCore

/// Depth is that of our own reports, so it recurses.
struct JSONWriter {
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

    mutating func write(_ row: JSONValue.Row, level: Int) {
        writeList(row.members, "{", "}", level) { writer, member in
            writer.writeKey(member.0)
            writer.write(member.1, level: level + 1)
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

    private mutating func append(_ text: String) {
        text.utf8.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

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
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
            append(value.sign == .minus && whole == 0 ? "0" : String(whole))
        } else {
            append(value.description)
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        guard Self.needsEscapes(text.utf8.span) else {
            append(text)
            bytes.append(UInt8(ascii: "\""))
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(contentsOf: scalar.utf8)
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            default: bytes.append(contentsOf: scalar.utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether anything in a text may be written in another way than it is. Controls beyond ASCII begin with 0xC2 and 0xE2.
    private static func needsEscapes(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
            if byte == 0x7F || byte == 0xC2 || byte == 0xE2 { return true }
        }
        return false
    }
}

extension JSONValue {
    /// An object whose members stand in the order in which they are written: that of their keys. As a row of a long list
    /// it costs no hashing.
    package struct Row: Sendable, ExpressibleByDictionaryLiteral {
        // As the literal has them: with labels they would have to be copied.
        let members: [(String, JSONValue)]

        /// - Parameter elements: Best in the order of their keys, which are all different; else they are sorted.
        package init(dictionaryLiteral elements: (String, JSONValue)...) {
            for place in elements.indices.dropFirst() where elements[place - 1].0 >= elements[place].0 {
                members = elements.sorted { $0.0 < $1.0 }
                return
            }
            members = elements
        }

        package var json: JSONValue { .object(Dictionary(members) { _, last in last }) }
    }

    /// A list whose rows are made one by one while they are written.
    package struct List {
        package let name: String
        package let count: Int
        package let row: (Int) -> Row

        /// - Parameter row: Asked for 0..<`count`, in this order.
        package init(_ name: String, count: Int, row: @escaping (Int) -> Row) {
            self.name = name
            self.count = count
            self.row = row
        }

        package var json: JSONValue { .array((0..<count).map { row($0).json }) }
    }

    /// Bytes from which on a text that is made in pieces is handed on.
    private static let pieceSize = 1 << 16

    /// Makes the text of an object of `members` and `lists`, no two of which have one name, piece by piece: neither the
    /// rows nor the text need be there all at once.
    ///
    /// - Parameter take: Takes the next piece, UTF-8 and without a line end at the last one's end; says whether it wants
    ///   more.
    package static func write(
        _ style: Style, _ members: [String: JSONValue], lists: [List], to take: ([UInt8]) -> Bool
    ) {
        write(style, members, lists: lists, below: nil, to: take)
    }

    /// The same where the lists are in an object within the one that is written.
    ///
    /// - Parameter below: The inner object's name and its members beside the lists; `nil` for lists at the top.
    package static func write(
        _ style: Style, _ members: [String: JSONValue], lists: [List],
        below inner: (name: String, members: [String: JSONValue])?, to take: ([UInt8]) -> Bool
    ) {
        var writer = JSONWriter(style: style)
        var wantsMore = true
        func write(_ members: [String: JSONValue], _ lists: [List], _ level: Int, _ writer: inout JSONWriter) {
            writer.writeList((members.keys + lists.map(\.name)).sorted(), "{", "}", level) { writer, key in
                guard wantsMore else { return }
                writer.writeKey(key)
                guard let list = lists.first(where: { $0.name == key }) else {
                    return writer.write(members[key] ?? .null, level: level + 1)
                }
                writer.writeList(0..<list.count, "[", "]", level + 1) { writer, index in
                    guard wantsMore else { return }
                    writer.write(list.row(index), level: level + 2)
                    guard writer.bytes.count >= pieceSize else { return }
                    wantsMore = take(writer.bytes)
                    writer.bytes.removeAll(keepingCapacity: true)
                }
            }
        }
        if let inner {
            writer.writeList((members.keys + [inner.name]).sorted(), "{", "}", 0) { writer, key in
                guard wantsMore else { return }
                writer.writeKey(key)
                if key == inner.name {
                    write(inner.members, lists, 1, &writer)
                } else {
                    writer.write(members[key] ?? .null, level: 1)
                }
            }
        } else {
            write(members, lists, 0, &writer)
        }
        if wantsMore { _ = take(writer.bytes) }
    }
}

/// A JSON text as a value. Objects are written with their keys sorted, so that equal values give equal bytes.
///
/// Ours and not a library's: reports hold a row for each of tens of thousands of elements, and the reals in them are
/// the shortest texts that read back the same.
package enum JSONValue: Sendable, Hashable {
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
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }

    package init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    package init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    package init(_ value: SIMD3<Double>) { self = .array([.real(value.x), .real(value.y), .real(value.z)]) }
    package init(_ values: [String]) { self = .array(values.map { .string($0) }) }
}

extension JSONValue {
    package enum Style: Sendable {
        /// One line.
        case compact
        /// Two spaces a level.
        case indented
    }

    /// As UTF-8, without a line end.
    package func text(_ style: Style) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self, level: 0)
        return writer.bytes
    }
}
