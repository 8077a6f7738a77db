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
    /// Each with a cell a column.
    var rows: [[String]] = []

    /// A line for the titles, then one a row.
    func lines(_ style: Style) -> [String] {
        text(style).split(separator: "\n").map(String.init)
    }

    /// The same as one text, each line ended. Tables have hundreds of thousands of rows: bytes are put together.
    func text(_ style: Style) -> String {
        var widths = columns.map(\.title.width)
        for row in rows {
            for (column, cell) in zip(columns.indices, row) { widths[column] = max(widths[column], cell.width) }
        }
        var text: [UInt8] = []
        text.reserveCapacity((widths.reduce(2 * widths.count, +) + 1) * (rows.count + 1))
        func add(_ cells: [String]) {
            for (column, cell) in zip(columns.indices, cells) {
                let gap = repeatElement(UInt8(ascii: " "), count: widths[column] - cell.width)
                switch columns[column].alignment {
                case .left:
                    text += cell.utf8
                    text += gap
                case .right:
                    text += gap
                    text += cell.utf8
                }
                text += "  ".utf8
            }
            while text.last == UInt8(ascii: " ") { text.removeLast() }
        }
        add(columns.map(\.title))
        let titles = style(.dim, String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
        text += titles.utf8
        for row in rows {
            text.append(UInt8(ascii: "\n"))
            add(row)
        }
        text.append(UInt8(ascii: "\n"))
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    /// Characters, which are bytes where all is ASCII.
    fileprivate var width: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : count }
}
