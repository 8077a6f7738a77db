import DaeCore
import Daedalus

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

    /// Adds the next cell of a row, whose text `write` appends.
    mutating func add(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        let cell = bytes[start...]
        let width = cell.allSatisfy { $0 < 0x80 } ? cell.count : String(decoding: cell, as: UTF8.self).width
        let column = cells.count % columns.count
        widths[column] = max(widths[column], width)
        cells.append((Int32(clamping: cell.count), Int32(clamping: width)))
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

// What terminals do with the widths of Unicode's annex 11: two columns for East Asian wide characters and for pictures,
// none for what is put on the character before.

extension String {
    /// Columns that it takes on a terminal.
    var width: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.width } }

    func padded(to width: Int) -> String {
        let room = width - self.width
        return room > 0 ? self + String(repeating: " ", count: room) : self
    }

    /// In lines of so many columns, parted where spaces are; a word that is wider stays whole. Colours take no room.
    func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var taken = 0
        var gap = ""
        for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { gap += " " }
            // Several spaces part what does not belong together.
            if word.isEmpty { continue }
            let width = word.visibleWidth
            if taken > 0, taken + gap.utf8.count + width > columns {
                lines.append(line)
                (line, taken) = (String(word), width)
            } else {
                line += gap + word
                taken += gap.utf8.count + width
            }
            gap = ""
        }
        return lines + [line]
    }

    /// Its end, where it is wider than that.
    func cut(to width: Int, by mark: String = "…") -> String {
        self.width <= width
            ? self : mark + String(String(reversed()).beginning(width - mark.width).reversed())
    }

    /// Its beginning and its end, where it is wider than that.
    func cutInTheMiddle(to width: Int, by mark: String = "…") -> String {
        guard self.width > width else { return self }
        // More of the end, where names differ.
        let head = beginning((width - mark.width) / 3)
        let tail = String(String(reversed()).beginning(max(0, width - mark.width - head.width)).reversed())
        return head + mark + tail
    }

    /// Its beginning, where it is wider than that.
    func cutAtTheEnd(to width: Int, by mark: String = "…") -> String {
        self.width <= width ? self : beginning(width - mark.width) + mark
    }

    /// As many first characters as fit.
    private func beginning(_ width: Int) -> String {
        var left = width
        return String(
            prefix {
                left -= $0.width
                return left >= 0
            })
    }
}

extension Substring {
    /// Without what sets colours: ESC, and all to the next `m`.
    fileprivate var visibleWidth: Int {
        guard utf8.contains(0x1B) else { return String(self).width }
        return split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().reduce(0) { sum, part in
            guard part.offset > 0, let end = part.element.firstIndex(of: "m") else {
                return sum + String(part.element).width
            }
            return sum + String(part.element[end...].dropFirst()).width
        }
    }
}

extension Character {
    /// Columns that it takes on a terminal.
    fileprivate var width: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        // A picture, or a letter made one.
        if first.properties.isEmojiPresentation || unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        case _: return Self.isWide(first.value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

enum TerminalWidth {
    /// Columns of the terminal that standard output is, or what `COLUMNS` says; `nil` where nothing limits a line.
    static func standardOutput() -> Int? {
        if let said = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), said > 0 { return said }
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
