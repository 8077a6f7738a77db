import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeResources

/// Which files an archive gets, and under what names.
struct PackPlan {
    struct Item {
        let file: PackedFile
        /// In the archive.
        let name: String
    }
    /// What stands in one document for a file.
    private struct Written: Hashable {
        let document: String
        let reference: String
    }

    /// The scene's own first.
    private(set) var documents: [Item] = []
    private(set) var images: [Item] = []
    private(set) var absences: [Packer.Report.Absence] = []
    private var names: [Written: String] = [:]
    private var rules: [Written: ResolutionRule] = [:]
    /// By where the files are.
    private var placed: [String: String] = [:]
    private var taken: Set<String>
    /// How often each name was asked for.
    private var asked: [String: Int] = [:]
    private var knownAbsences: Set<Packer.Report.Absence> = []
    private let choice: SceneChoice

    private static let imageFolder = "textures"
    private static let zaeManifest = "manifest.xml"
    private static let kmlManifest = "doc.kml"

    init(_ choice: SceneChoice, _ references: [FollowedReference]) {
        self.choice = choice
        taken = [Self.zaeManifest, Self.kmlManifest]
        addDocument(PackedFile(path: choice.entry.path, resolution: nil))
        for part in choice.parts { addDocument(PackedFile(path: part.entry.path, resolution: nil)) }
        for followed in references where followed.kind == .document { add(followed) }
        for followed in references where followed.kind == .image { add(followed) }
    }

    private mutating func addDocument(_ file: PackedFile) {
        guard placed[file.path] == nil else { return }
        let name = free(Self.clean(BundlePath.baseName(of: file.path), ending: "dae"))
        placed[file.path] = name
        documents.append(Item(file: file, name: name))
    }

    private mutating func add(_ followed: FollowedReference) {
        let resolution = followed.resolution
        let written = Written(document: followed.base, reference: resolution.reference)
        switch resolution.outcome {
        case .found(let path, let rule, _):
            add(PackedFile(path: path, resolution: resolution), followed.kind, written, rule)
        case .outside(let file, let rule, _):
            add(PackedFile(path: file.shown, resolution: resolution), followed.kind, written, rule)
        case .embedded: return
        case .missing, .ambiguous, .blocked, .remote, .fetched, .unfetched:
            guard !resolution.reference.isEmpty, let document = placed[followed.base] else { return }
            let absence = Packer.Report.Absence(
                document: document, reference: resolution.reference, status: resolution.status)
            if knownAbsences.insert(absence).inserted { absences.append(absence) }
        }
    }

    private mutating func add(
        _ file: PackedFile, _ kind: FollowedReference.Kind, _ written: Written, _ rule: ResolutionRule
    ) {
        switch kind {
        case .document: addDocument(file)
        case .image:
            if placed[file.path] == nil {
                let name = free(Self.imageFolder + "/" + Self.clean(BundlePath.baseName(of: file.path), ending: nil))
                placed[file.path] = name
                images.append(Item(file: file, name: name))
            }
        }
        names[written] = placed[file.path]
        rules[written] = rule
    }

    // MARK: - Names

    /// A name of letters, digits and `-_.` of ASCII, which is the same in every encoding and in every address.
    ///
    /// - Parameter ending: That it has to have.
    private static func clean(_ name: String, ending: String?) -> String {
        var clean = String(
            name.unicodeScalars.map { scalar in
                let isKept =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
                return isKept ? Character(scalar) : "_"
            })
        clean = String(clean.drop { $0 == "." })
        if !clean.contains(where: { $0.isLetter || $0.isNumber }) { clean = "file" }
        // Of a path's 255 bytes some are for what tells equal names apart.
        clean = String(clean.suffix(200))
        if let ending, !clean.lowercased().hasSuffix("." + ending) { clean += "." + ending }
        return clean
    }

    /// The name, or the next like it that no other file has, whether or not letters' case counts.
    private mutating func free(_ name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var (free, count) = (name, asked[name.lowercased(), default: 1])
        while !taken.insert(free.lowercased()).inserted {
            count += 1
            free = "\(name[..<dot])-\(count)\(name[dot...])"
        }
        asked[name.lowercased()] = count
        return free
    }

    // MARK: - Contents

    /// A document with the names that its files have in the archive.
    func rewritten(
        _ bytes: [UInt8], _ document: Item
    ) throws -> (bytes: [UInt8], rewritings: [Packer.Report.Rewriting]) {
        var rewritings: [Packer.Report.Rewriting] = []
        var known: Set<Packer.Report.Rewriting> = []
        let text = DocumentText(bytes)
        let places = WrittenReferences(text.utf8)
        let changed = places.bytes { reference in
            let written = Written(document: document.file.path, reference: reference)
            guard let name = names[written], name != reference else { return nil }
            let rewriting = Packer.Report.Rewriting(
                document: document.name, from: reference, to: name, rule: rules[written])
            if known.insert(rewriting).inserted { rewritings.append(rewriting) }
            return name
        }
        return changed.changes == 0 ? (bytes, []) : (text.encoded(changed.bytes), rewritings)
    }

    /// What says which document is the scene; `nil` where nothing has to.
    func manifest(
        _ form: Packer.Form, _ contents: PackContents
    ) throws -> (path: String, origin: String?, bytes: [UInt8])? {
        if !choice.parts.isEmpty, let own = choice.namingManifest {
            // Where its models stand is nobody's but its own to say, in whatever archive.
            let text = DocumentText(try contents.bytes(of: PackedFile(path: own, resolution: nil)))
            let changed = WrittenReferences(text.utf8).bytes { reference in
                placed[contents.locator.resolve(reference, from: own, as: .document).path ?? ""]
            }
            return (Self.kmlManifest, own, text.encoded(changed.bytes))
        }
        let scene = WrittenReferences.escaped(documents[0].name + (choice.fragment.map { "#" + $0 } ?? ""))
        switch form {
        case .zip where documents.count == 1 && choice.fragment == nil: return nil
        case .zip, .zae:
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <dae_root>\(scene)</dae_root>

                """
            return (Self.zaeManifest, nil, Array(text.utf8))
        case .kmz:
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <kml xmlns="http://www.opengis.net/kml/2.2">
                  <Placemark>
                    <Model>
                      <Link><href>\(scene)</href></Link>
                    </Model>
                  </Placemark>
                </kml>

                """
            return (Self.kmlManifest, nil, Array(text.utf8))
        }
    }
}

/// A document's bytes as UTF-8, or as what has ASCII where UTF-8 has it, and back.
private struct DocumentText {
    let utf8: [UInt8]
    private let isBigEndian: Bool?

    init(_ bytes: [UInt8]) {
        let order: Bool? =
            switch (bytes.first, bytes.dropFirst().first) {
            case (0xFE, 0xFF), (0x00, UInt8(ascii: "<")): true
            case (0xFF, 0xFE), (UInt8(ascii: "<"), 0x00): false
            default: nil
            }
        if let order, bytes.count % 2 == 0 {
            let units = stride(from: 0, to: bytes.count, by: 2).map { place in
                let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
                return order ? first << 8 | second : second << 8 | first
            }
            let text = Array(String(decoding: units, as: UTF16.self).utf8)
            // One that is no text cannot be written again as it was.
            if Self.encoded(text, isBigEndian: order) == bytes {
                (utf8, isBigEndian) = (text, order)
                return
            }
        }
        (utf8, isBigEndian) = (bytes, nil)
    }

    func encoded(_ text: [UInt8]) -> [UInt8] { isBigEndian.map { Self.encoded(text, isBigEndian: $0) } ?? text }

    private static func encoded(_ text: [UInt8], isBigEndian: Bool) -> [UInt8] {
        String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isBigEndian ? [high, low] : [low, high]
        }
    }
}
