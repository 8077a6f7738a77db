import DaeDiagnostics
import DaeImages
import DaeMesh
import DaeScene

/// A package of files that are stored as they are, each at a multiple of 64 bytes, the layer first.
///
/// - Source: OpenUSD, "Usdz File Format Specification"; PKWARE, APPNOTE.TXT, 4.3.
struct USDZPackage {
    private struct Entry {
        let name: String
        let size: Int
        let checksum: UInt32
        /// From the first image on, of its header.
        let offset: Int
        /// Bytes of the field that moves its content to where it has to be.
        let padding: Int
    }
    private let target: ExportTarget
    /// The images with their headers: what is before them is a multiple of 64 bytes.
    private let images: ExportFile
    private var size = 0
    private var entries: [Entry] = []
    private var names = USDNames()
    private let budget: ConversionBudget
    private let limit: Int

    private static let layerName = "model.usdc"
    private static let alignment = CrateWriter.alignment
    private static let headerSize = 30
    /// Two numbers of 16 bits before what pads.
    private static let fieldHead = 4

    init(to target: ExportTarget, limit: Int, _ budget: ConversionBudget) throws(SceneExportError) {
        self.target = target
        self.limit = limit
        self.budget = budget
        images = try ExportFile(unnamedBeside: target.path)
    }

    /// Images in it.
    var count: Int { entries.count }

    /// How the layer names an image.
    func name(of picture: Int) -> String { entries[picture].name }

    private mutating func add(_ name: String, _ bytes: [UInt8]) throws(SceneExportError) {
        guard bytes.count <= limit - size else { throw SceneExportError.tooLarge(.usdz, limit) }
        var sum = Checksum()
        sum.add(bytes)
        let entry = Self.entry(name, bytes.count, sum.value, at: size)
        try budget.write(bytes.count)
        try images.write(Self.header(of: entry))
        try images.write(bytes)
        size += Self.headerSize + name.utf8.count + entry.padding + bytes.count
        entries.append(entry)
    }

    /// - Returns: Bytes of the file.
    func finish(_ layer: CrateWriter.File) throws(SceneExportError) -> Int {
        let first = Self.entry(Self.layerName, layer.size, layer.checksum.value, at: 0)
        let start = Self.alignment + layer.size
        var directory: [UInt8] = []
        for entry in [first] + entries {
            directory += Self.record(of: entry, at: entry.name == first.name ? 0 : start + entry.offset)
        }
        let end = start + size
        let whole = end + directory.count + 22
        // The last numbers of 32 and 16 bits stand for larger ones elsewhere.
        guard whole <= limit, whole < Int(UInt32.max), entries.count + 1 < Int(UInt16.max) else {
            throw SceneExportError.tooLarge(.usdz, min(limit, Int(UInt32.max) - 1))
        }
        try budget.check(output: whole)
        let count = UInt16(entries.count + 1)
        var tail: [UInt8] = []
        tail.append(little: UInt32(0x0605_4B50))
        for number in [0, 0, count, count] { tail.append(little: number) }
        tail.append(little: UInt32(directory.count))
        tail.append(little: UInt32(end))
        tail.append(little: UInt16(0))
        let file = try ExportFile(for: target)
        try file.write(Self.header(of: first))
        try layer.write(to: file)
        try file.write(contentsOf: images)
        try file.write(directory)
        try file.write(tail)
        try file.deliver(to: target)
        return whole
    }

    private static func entry(_ name: String, _ size: Int, _ checksum: UInt32, at offset: Int) -> Entry {
        let bare = offset + headerSize + name.utf8.count
        var padding = (alignment - bare % alignment) % alignment
        if padding > 0, padding < fieldHead { padding += alignment }
        return Entry(name: name, size: size, checksum: checksum, offset: offset, padding: padding)
    }

    private static func header(of entry: Entry) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: UInt32(0x0403_4B50))
        bytes += common(of: entry)
        bytes.append(little: UInt16(entry.padding))
        bytes += entry.name.utf8
        if entry.padding > 0 {
            bytes.append(little: UInt16(0x1986))
            bytes.append(little: UInt16(entry.padding - fieldHead))
            bytes += [UInt8](repeating: 0, count: entry.padding - fieldHead)
        }
        return bytes
    }

    private static func record(of entry: Entry, at offset: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: UInt32(0x0201_4B50))
        bytes.append(little: UInt16(20))
        bytes += common(of: entry)
        // No field of its own, no comment, the first disk, no attributes.
        for _ in 0..<4 { bytes.append(little: UInt16(0)) }
        bytes.append(little: UInt32(0))
        bytes.append(little: UInt32(truncatingIfNeeded: offset))
        bytes += entry.name.utf8
        return bytes
    }

    /// From the version that is needed to the length of the name: stored, named in UTF-8, of the first day that there is.
    private static func common(of entry: Entry) -> [UInt8] {
        var bytes: [UInt8] = []
        for number: UInt16 in [20, 0x0800, 0, 0, 0x0021] { bytes.append(little: number) }
        for number in [entry.checksum, UInt32(truncatingIfNeeded: entry.size), UInt32(truncatingIfNeeded: entry.size)] {
            bytes.append(little: number)
        }
        bytes.append(little: UInt16(entry.name.utf8.count))
        return bytes
    }
}

extension USDZPackage: PictureSink {
    mutating func add(
        picture bytes: [UInt8], _ type: ImageType, of image: Image, file: String?
    ) throws(SceneExportError) -> Int {
        let name = image.name ?? image.id
        // Programs hold names in small letters for the same as others, and endings for what is in a file.
        let text = name.map { name in name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }
        let unique = names.unique(USDNames.identifier(text?.lowercased(), or: "image"))
        try add("textures/\(unique)\(type.ending)", bytes)
        return entries.count - 1
    }
}
