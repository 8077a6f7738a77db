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
        var widths = columns.map(\.title.count)
        for row in rows {
            for (column, cell) in zip(columns.indices, row) { widths[column] = max(widths[column], cell.count) }
        }
        func line(_ cells: [String]) -> String {
            var text = ""
            for (column, cell) in zip(columns.indices, cells) {
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                switch columns[column].alignment {
                case .left: text += cell + gap
                case .right: text += gap + cell
                }
                text += "  "
            }
            while text.last == " " { text.removeLast() }
            return text
        }
        return [style(.dim, line(columns.map(\.title)))] + rows.map(line)
    }
}
