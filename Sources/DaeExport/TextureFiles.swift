import DaeCore
import DaeDiagnostics
import DaeMesh
import DaeScene

extension ExportImages {
    /// What is written of an image.
    enum Written {
        case file([UInt8], ImageType)
        /// What another image has.
        case same(SceneIndex<Image>)
        case nothing
    }

    /// - Parameter report: Gets what is otherwise than the image; of one that is not there the caller tells.
    func written(_ index: SceneIndex<Image>, of scene: Scene, _ report: inout FidelityReport) -> Written {
        let image = scene.images[index]
        switch content(index) {
        case .png(let bytes): return .file(bytes, .png)
        case .jpeg(let bytes): return .file(bytes, .jpeg)
        case .recoded(let bytes, from: _):
            report.add(.recoded, .images, at: image.id ?? image.name)
            return .file(bytes, .png)
        case .converted(let bytes, from: _):
            report.add(.approximated, .images, at: image.id ?? image.name)
            return .file(bytes, .png)
        case .reencoded(let bytes, let type):
            report.add(.approximated, .images, at: image.id ?? image.name)
            return .file(bytes, type)
        case .same(let other): return .same(other)
        case .unavailable: return .nothing
        }
    }
}

/// Textures as files of their own beside an export, named after it: `chair.gltf` has `chair-wood.png`, so that no two
/// exports in a folder want one name.
struct TextureFiles {
    /// To be put into place together with the export.
    private(set) var files: [ExportFile] = []
    /// Of all files.
    private(set) var bytes = 0
    private let folder: String
    private let stem: String
    private var names: UniqueNames
    private let budget: ConversionBudget

    /// - Parameters:
    ///   - path: Of the export.
    ///   - others: What else is written beside it.
    init(beside path: String, others: [String], _ budget: ConversionBudget) {
        func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        stem = Self.cleaned(Self.withoutEnding(name(path)), or: "model")
        // Some systems take names that differ in case for one.
        names = UniqueNames(taken: others.map(name), isCaseSensitive: false)
        self.budget = budget
    }

    /// Writes a file for an image, unless it is there with these bytes.
    ///
    /// - Returns: Its name, of letters, digits, `-`, `_` and `.` alone.
    mutating func add(
        _ content: [UInt8], _ type: ImageType, of image: Image, file: String?
    ) throws(SceneExportError) -> String {
        let given = file ?? image.name ?? image.id ?? ""
        let last = given.split { "/\\".contains($0) }.last.map(String.init) ?? given
        let base = stem + "-" + Self.cleaned(Self.withoutEnding(last), or: "texture")
        let name = names.unique(base, ending: type.ending)
        // As where a model is written as glTF and as OBJ.
        if isThere(content, folder + name) { return name }
        try budget.write(content.count)
        let written = try ExportFile(folder + name)
        try written.write(content)
        files.append(written)
        bytes += content.count
        return name
    }

    private func isThere(_ content: [UInt8], _ path: String) -> Bool {
        guard let present = FileMetadata(path), present.kind == .file, present.size == content.count else {
            return false
        }
        return (try? OpenFile(path, .reading).bytes(limit: content.count)) == content
    }

    private static func withoutEnding(_ name: String) -> String {
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return name }
        return String(name[..<point])
    }

    /// Longer names some systems do not take.
    private static let longest = 60

    private static func cleaned(_ name: String, or other: String) -> String {
        var clean = ""
        for byte in name.utf8 {
            guard clean.utf8.count < longest else { break }
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "_.".contains(character) {
                clean.append(character)
            } else if clean.last != "-" {
                clean.append("-")
            }
        }
        clean = String(clean.drop { "-.".contains($0) })
        while let last = clean.last, "-.".contains(last) { clean.removeLast() }
        return clean.isEmpty ? other : clean
    }
}
