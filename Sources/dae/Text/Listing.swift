import Daedalus

/// The files of a bundle as a table, or as JSON.
struct Listing {
    private let opened: LiveBundle
    private let uses: EntryUses
    private let style: Style

    init(_ opened: LiveBundle, _ uses: EntryUses, style: Style) {
        self.opened = opened
        self.uses = uses
        self.style = style
    }

    /// The entry alone where the source names one.
    private var entries: [Bundle.Entry] { opened.entry.map { [$0] } ?? opened.bundle.entries }

    /// - Parameter isHeaded: Whether the source's name stands above.
    func text(isHeaded: Bool) -> [UInt8] {
        var table = TextTable(columns: [
            .right("size"), .right("packed"), .right("ratio"), .left("method"), .left("modified"), .left("crc-32"),
            .left("role"), .left("path"),
        ])
        // Archives have hundreds of thousands of entries: their cells are written as bytes, one behind the other.
        var (uses, sizes) = (uses, SizeTexts(style))
        let none = style.marks("–").utf8
        for entry in entries {
            table.add { sizes.write(entry.size, to: &$0) }
            table.add { sizes.write(entry.compressedSize, to: &$0) }
            table.add { sizes.writeRatio(of: entry, to: &$0) }
            table.add { text in
                text += entry.method.description.utf8
                if entry.isEncrypted { text += ", encrypted".utf8 }
            }
            table.add { text in
                if let modified = entry.modified { modified.write(to: &text) } else { text += none }
            }
            table.add { text in
                if let crc32 = entry.crc32 { Self.write(hexadecimal: crc32, to: &text) } else { text += none }
            }
            table.add { $0 += uses.use(of: entry).rawValue.utf8 }
            table.add { $0 += entry.path.withoutControls.utf8 }
        }
        let bytes = entries.reduce(Int64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        let sum = "\(Figures.count(entries.count, "file")), \(Figures.bytes(bytes))"
        let heading = isHeaded ? style(.bold, opened.file.input.withoutControls) + ":\n" : ""
        return Array(heading.utf8) + table.bytes(style) + Array((style(.dim, sum) + "\n").utf8)
    }

    /// Entry by entry, for as values they take ten times the room of their text.
    func writeJSON(_ style: JSONValue.Style, to take: ([UInt8]) -> Bool) {
        var uses = uses
        let entries = entries
        let others: [String: JSONValue] = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": opened.source.json,
            "findings": findings.json,
        ]
        let list = JSONValue.List("entries", count: entries.count) { index in
            Self.row(entries[index], uses.use(of: entries[index]))
        }
        JSONValue.write(style, others, lists: [list], to: take)
    }

    private static func row(_ entry: Bundle.Entry, _ use: EntryUse) -> JSONValue.Row {
        [
            "bytes": JSONValue(entry.size), "compressedBytes": JSONValue(entry.compressedSize),
            "crc32": JSONValue(entry.crc32.map(hexadecimal)), "encrypted": .bool(entry.isEncrypted),
            "method": .string(entry.method.description), "modified": JSONValue(entry.modified?.description),
            "path": .string(entry.path), "role": .string(use.rawValue),
        ]
    }

    private var findings: FindingLog {
        var log = FindingLog()
        for finding in opened.bundle.findings { log.add(finding) }
        return log
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        var text: [UInt8] = []
        write(hexadecimal: value, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(hexadecimal value: UInt32, to text: inout [UInt8]) {
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> shift & 15)
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}

/// Sizes and ratios as people read them; entries that follow each other are often of one size.
private struct SizeTexts {
    private var sizes: [Int64: String] = [:]
    private var last: (size: Int64, packed: Int64, text: String)?
    private static let mostKept = 1000
    private let style: Style

    init(_ style: Style) { self.style = style }

    mutating func write(_ size: Int64, to text: inout [UInt8]) {
        if let known = sizes[size] {
            text += known.utf8
            return
        }
        let new = Figures.bytes(size)
        if sizes.count < Self.mostKept { sizes[size] = new }
        text += new.utf8
    }

    /// How often the packed bytes go into the others.
    mutating func writeRatio(of entry: Bundle.Entry, to text: inout [UInt8]) {
        let (size, packed) = (entry.size, entry.compressedSize)
        if let last, last.size == size, last.packed == packed {
            text += last.text.utf8
            return
        }
        let new = packed > 0 ? Figures.significant(Double(size) / Double(packed)) + style.marks("×") : style.marks("–")
        last = (size, packed, new)
        text += new.utf8
    }
}
