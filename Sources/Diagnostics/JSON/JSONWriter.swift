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
        guard Self.isOdd(text.utf8.span) else {
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
            default: bytes.append(contentsOf: scalar.utf8)  // scalars
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether anything in a text may be written in another way than it is. Controls beyond ASCII begin with 0xC2 and 0xE2.
    private static func isOdd(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
            if byte == 0x7F || byte == 0xC2 || byte == 0xE2 { return true }
        }
        return false
    }
}
