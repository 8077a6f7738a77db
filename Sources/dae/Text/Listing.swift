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
        for entry in entries {
            table.add([
                Figures.bytes(entry.size), Figures.bytes(entry.compressedSize), Self.ratio(entry),
                entry.method.description + (entry.isEncrypted ? ", encrypted" : ""), entry.modified?.description ?? "–",
                entry.crc32.map(Self.hexadecimal) ?? "–", uses.use(of: entry).rawValue, entry.path.withoutControls,
            ])
        }
        let bytes = entries.reduce(Int64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        let sum = "\(Figures.count(entries.count, "file")), \(Figures.bytes(bytes))"
        let heading = isHeaded ? style(.bold, opened.file.input.withoutControls) + ":\n" : ""
        return Array(heading.utf8) + table.bytes(style) + Array((style(.dim, sum) + "\n").utf8)
    }

    var json: JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion),
            "source": opened.source.json,
            "entries": .array(
                entries.map { entry in
                    [
                        "path": .string(entry.path), "bytes": JSONValue(entry.size),
                        "compressedBytes": JSONValue(entry.compressedSize), "method": .string(entry.method.description),
                        "encrypted": .bool(entry.isEncrypted), "modified": JSONValue(entry.modified?.description),
                        "crc32": JSONValue(entry.crc32.map(Self.hexadecimal)),
                        "role": .string(uses.use(of: entry).rawValue),
                    ]
                }),
            "findings": findings.json,
        ]
    }

    private var findings: FindingLog {
        var log = FindingLog()
        for finding in opened.bundle.findings { log.add(finding) }
        return log
    }

    /// How often the packed bytes go into the others.
    private static func ratio(_ entry: Bundle.Entry) -> String {
        guard entry.compressedSize > 0 else { return "–" }
        return Figures.significant(Double(entry.size) / Double(entry.compressedSize)) + "×"
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
