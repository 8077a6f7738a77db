/// Rows of cells in columns as wide as their widest cell; numbers to the right.
struct TextTable {
    enum Alignment {
        case left, right
    }
    struct Column {
        let title: String
        let alignment: Alignment

        static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
        static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
    }
    let columns: [Column]
    /// All cells one behind the other, for tables have hundreds of thousands of rows.
    private var bytes: [UInt8] = []
    /// Of each cell, bytes and columns.
    private var cells: [(bytes: Int32, width: Int32)] = []
    private var widths: [Int]

    init(columns: [Column]) {
        self.columns = columns
        widths = columns.map(\.title.width)
    }

    var isEmpty: Bool { cells.isEmpty }

    /// - Parameter row: A cell a column.
    mutating func add(_ row: [String]) {
        for (column, cell) in zip(columns.indices, row) {
            let width = cell.width
            widths[column] = max(widths[column], width)
            cells.append((Int32(clamping: cell.utf8.count), Int32(clamping: width)))
            bytes += cell.utf8
        }
    }

    mutating func add(rows: [[String]]) {
        for row in rows { add(row) }
    }

    /// A line for the titles, then one a row, each ended.
    func bytes(_ style: Style) -> [UInt8] {
        var text: [UInt8] = []
        for (column, title) in zip(columns.indices, columns.map(\.title)) {
            write(Array(title.utf8)[...], width: title.width, in: column, to: &text)
        }
        Self.trim(&text)
        text = Array(style(.dim, String(decoding: text, as: UTF8.self)).utf8)
        text.append(UInt8(ascii: "\n"))
        let line = widths.reduce(2 * widths.count + 1, +)
        text.reserveCapacity(text.count + cells.count / max(1, columns.count) * line)
        var place = 0
        for (index, cell) in cells.enumerated() {
            let end = place + Int(cell.bytes)
            write(bytes[place..<end], width: Int(cell.width), in: index % columns.count, to: &text)
            place = end
            if index % columns.count == columns.count - 1 {
                Self.trim(&text)
                text.append(UInt8(ascii: "\n"))
            }
        }
        return text
    }

    func lines(_ style: Style) -> [String] {
        bytes(style).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ cell: ArraySlice<UInt8>, width: Int, in column: Int, to text: inout [UInt8]) {
        let gap = repeatElement(UInt8(ascii: " "), count: widths[column] - width)
        switch columns[column].alignment {
        case .left:
            text += cell
            text += gap
        case .right:
            text += gap
            text += cell
        }
        text += "  ".utf8
    }

    private static func trim(_ text: inout [UInt8]) {
        while text.last == UInt8(ascii: " ") { text.removeLast() }
    }
}
