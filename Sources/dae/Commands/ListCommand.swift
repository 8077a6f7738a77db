import ArgumentParser
import DaeCore
import Daedalus

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List a bundle's files: size, how they are packed, and what each is to the scene.",
        discussion: """
            A file is the scene, a texture or a document of it, a manifest, an archive, junk of a file manager, \
            unused, or other. Where the scene cannot be read, names alone tell. --names does not read the scene at all.

            Examples:
              dae ls model.zip
              dae ls 'outer.zip!/inner.zae'
              dae ls --format json model.kmz | jq '.entries[] | select(.role == "unused").path'
            """)

    @OptionGroup var options: SourceOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Flag(help: "Tell what files are by their names alone.")
    var names = false

    func run() async throws {
        let (format, names) = (format, names)
        let style = options.run.style
        let isOneOfSeveral = options.sources.count > 1
        let isCompact = options.jsonl || isOneOfSeveral
        let run = try BundleRun(options.sources, options.run, try options.live(), jobs: options.jobs)
        try await run.run(.content, isCompact: isCompact, format: format) {
            bundle, isCancelled in
            if format == .text { bundle.tellWarnings() }
            let choice = try? bundle.choice()
            var inspection: Inspection?
            if !names, let choice { inspection = try? bundle.inspect(choice, isCancelled: isCancelled).inspection }
            let listing = Listing(bundle, EntryUses(choice, inspection, of: bundle.entry), style: style)
            switch format {
            case .json: return .init(rendering: .jsonPieces { listing.writeJSON($0, to: $1) })
            case .text: return .init(rendering: .bytes(listing.text(isHeaded: isOneOfSeveral)))
            }
        }
    }
}

/// The files of a bundle as a table, or as JSON.
private struct Listing {
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

/// What an entry is to its bundle.
private enum EntryUse: String {
    case scene, texture, document, manifest, archive, junk, unused, other
}

/// Tells what the entries of a bundle are, by its scene where that can be read, else by their names.
///
/// To be asked for the entries in the bundle's order, or for one alone.
private struct EntryUses {
    private let scene: String?
    private let manifests: Set<String>
    private let textures: Set<String>
    /// Those to come, in the bundle's order; `nil` where the scene could not be read.
    private var unused: ArraySlice<String>?
    /// Paths of which the first entry was met, which is the one that is used.
    private var met: Set<String> = []

    /// - Parameter entry: The only one that is asked for; `nil` for all of the bundle.
    init(_ choice: SceneChoice?, _ inspection: Inspection?, of entry: Bundle.Entry?) {
        scene = choice?.entry.path
        manifests = Set(choice?.manifests ?? [])
        textures = Set(inspection?.images.compactMap(\.path) ?? [])
        let all = inspection?.bundle.unused
        unused = entry.map { entry in all?.filter { $0 == entry.path }[...] } ?? all?[...]
    }

    mutating func use(of entry: Bundle.Entry) -> EntryUse {
        if unused?.first == entry.path {
            unused?.removeFirst()
            return unusedKind(of: entry)
        }
        if let use = useInScene(of: entry) { return met.insert(entry.path).inserted ? use : .unused }
        switch entry.role {
        case .junk: return .junk
        case .manifest: return .manifest
        case .document: return .document
        case .image: return unused == nil ? .texture : .other
        case .archive: return .archive
        case .other: return .other
        }
    }

    private func useInScene(of entry: Bundle.Entry) -> EntryUse? {
        if entry.path == scene { return .scene }
        if textures.contains(entry.path) { return .texture }
        return manifests.contains(entry.path) ? .manifest : nil
    }

    private func unusedKind(of entry: Bundle.Entry) -> EntryUse {
        switch entry.role {
        case .junk: .junk
        case .manifest: .manifest
        case .archive: .archive
        case .document, .image, .other: .unused
        }
    }
}
