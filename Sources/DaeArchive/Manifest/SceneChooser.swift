import DaeCore
import DaeDiagnostics

struct SceneChooser {
    private let bundle: Bundle
    private lazy var documents = Self.documents(of: bundle)
    private(set) var findings = FindingLog()
    private var manifests: [String] = []
    private let repairs: BundleManifest.Repairs
    private let reading: BundleManifest.Documents
    private let locate: BundleManifest.Locator?

    init(
        _ bundle: Bundle, _ repairs: BundleManifest.Repairs, _ reading: BundleManifest.Documents,
        _ locate: BundleManifest.Locator?
    ) {
        self.bundle = bundle
        self.repairs = repairs
        self.reading = reading
        self.locate = repairs == .made ? locate : nil
    }

    static func documents(of bundle: Bundle) -> [Bundle.Entry] {
        bundle.entries.filter { entry in
            // Of entries with the same path one is meant by it; nobody can choose the others.
            entry.path.lowercased().hasSuffix(".dae") && !entry.isJunk
                && bundle.entry(at: entry.path).map { $0 == entry } ?? true
        }
    }

    mutating func choose(given: String?) throws(CodedFailure) -> SceneChoice {
        if let given {
            guard let entry = bundle.entry(at: given) else {
                throw CodedFailure(
                    .sourceNotFound, entry: given,
                    "\(bundle.name) has no entry \(given.quoted())")
            }
            return choice(entry, .given)
        }
        if let named = named(), reading != .all || named.rule == .document { return named }
        return try best()
    }

    /// The document itself, or what a manifest names.
    private mutating func named() -> SceneChoice? {
        switch bundle.kind {
        case .dae: bundle.entries.first.map { choice($0, .document) }
        case .zae: zaeScene()
        case .kmz: kmzScene()
        case .zip, .folder: zaeScene() ?? kmzScene()
        }
    }

    private mutating func choice(_ entry: Bundle.Entry, _ rule: SceneRule, fragment: String? = nil) -> SceneChoice {
        let isOnlyFile = bundle.entries.count == 1 && bundle.entries[0].path == entry.path
        return SceneChoice(
            entry: entry, rule: rule, fragment: fragment,
            candidates: isOnlyFile ? [] : documents.map(\.path).filter { $0 != entry.path }, manifests: manifests)
    }

    // MARK: - ZAE

    /// Lies at the top, or in the one folder that an archive was made of; upper and lower case are the same.
    private func manifest(named name: String) -> Bundle.Entry? {
        if let entry = bundle.entry(at: name) { return entry }
        let named = bundle.entries.filter { $0.role == .manifest && $0.name.lowercased() == name }
        guard let nearest = named.min(by: { $0.path.depth < $1.path.depth }) else { return nil }
        let folder = BundlePath.folder(of: nearest.path)
        let isOwn =
            folder.isEmpty || bundle.entries.allSatisfy { $0.isJunk || $0.path.utf8.starts(with: (folder + "/").utf8) }
        return isOwn ? nearest : nil
    }

    private mutating func zaeScene() -> SceneChoice? {
        guard let manifest = manifest(named: "manifest.xml") else {
            if bundle.kind == .zae {
                add(.zaeManifestMissing, nil, "the archive has no manifest.xml, which COLLADA 1.5 asks for")
            }
            return nil
        }
        let read = read(manifest, of: .zae, fault: .zaeManifestInvalid) { bytes in
            try ElementTextReader.texts(at: ["dae_root"], in: bytes)
        }
        guard let texts = read else { return nil }
        guard let root = texts.first else {
            // A manifest.xml in an ordinary archive may be anything.
            if bundle.kind == .zae {
                add(
                    .zaeManifestInvalid, manifest.path,
                    "manifest.xml has no <dae_root>; expected the scene's path in it")
            }
            return nil
        }
        manifests.append(manifest.path)
        let (entry, fragment) = follow(root, from: manifest.path)
        guard let entry else {
            add(
                .zaeRootNotFound, manifest.path,
                "manifest.xml names \(root.quoted()), which is not in the archive")
            return nil
        }
        return choice(entry, .zaeManifest, fragment: fragment)
    }

    // MARK: - KMZ

    /// A `.kmz` is one whatever its KML is called; elsewhere a KML document may be anything but a `doc.kml` at the top.
    private var firstKML: String? {
        switch bundle.kind {
        case .kmz: KMLWalk.start(among: bundle.entries.lazy.filter { $0.role == .manifest }.map(\.path))
        case .zip, .folder, .zae, .dae: manifest(named: "doc.kml")?.path
        }
    }

    private mutating func kmzScene() -> SceneChoice? {
        guard let kml = firstKML else {
            if bundle.kind == .kmz { add(.kmzDocMissing, nil, "the archive has no doc.kml") }
            return nil
        }
        var parts: [(part: SceneChoice.Part, fragment: String?)] = []
        var walk = KMLWalk([kml])
        // Models that are left out.
        var left = 0
        while let path = walk.path() {
            guard let kml = bundle.entry(at: path),
                let document = read(
                    kml, of: .kmz, fault: .kmzModelLinkBroken, limit: walk.limit, KMLDocument.read)
            else { continue }
            walk.take(bytes: Int(clamping: kml.size))
            manifests.append(kml.path)
            if document.isCut {
                tell(limit: "\(kml.path) has more than \(KMLDocument.mostModels) models, links or aliases", kml.path)
            }
            for model in document.models {
                guard parts.count < KMLDocument.mostModels else {
                    left += 1
                    continue
                }
                let (entry, fragment) = follow(model.link, from: kml.path)
                guard let entry else {
                    add(
                        .kmzModelLinkBroken, kml.path,
                        "\(kml.path) names the model \(model.link.quoted()), which is not in the archive")
                    continue
                }
                tellNumbers(of: model, kml.path)
                parts.append((.init(entry: entry, name: model.name, placement: model.placement), fragment))
            }
            for link in document.networkLinks.prefix(KMLWalk.mostDocuments + 1) {
                if let linked = self.linked(link, from: kml.path) { walk.add(linked.path) }
            }
        }
        if walk.isCut { tell(limit: "there are more than \(KMLWalk.mostDocuments) KML documents", kml) }
        if left > 0 { tell(limit: "there are \(parts.count + left) models in the KML documents", kml) }
        // KML 2.1 has where textures lie in a file of its own.
        if !manifests.isEmpty, let textures = bundle.entry(at: "textures.txt") { manifests.append(textures.path) }
        guard let first = parts.first else { return nil }
        var choice = choice(first.part.entry, .kmzModelLink, fragment: first.fragment)
        if parts.count > 1 || !first.part.placement.isPlain {
            choice.parts = parts.map(\.part)
            let shown = Set(choice.parts.map(\.entry.path))
            choice.candidates.removeAll { shown.contains($0) }
        }
        return choice
    }

    private mutating func tell(limit: String, _ entry: String) {
        add(.workLimitExceeded, entry, "\(limit), and what is beyond is left out")
    }

    /// What of a model's place and size cannot be taken as it is written.
    private mutating func tellNumbers(of model: KMLDocument.Model, _ kml: String) {
        if let first = model.invalidNumbers.first {
            let count = model.invalidNumbers.count
            let others = count > 1 ? ", and \(count - 1) more" : ""
            add(
                .schemaInvalidNumber, kml,
                """
                \(kml) places the model \(model.link.quoted()) by \(first.quoted())\(others), which is no number that can \
                be meant there; 0 is taken, and 1 for a scale
                """)
        }
        let scale = model.placement.scale
        if scale.x == 0 || scale.y == 0 || scale.z == 0 {
            add(.nodeTransformSingular, kml, "\(kml) scales the model \(model.link.quoted()) to nothing")
        }
    }

    /// The KML document that a network link leads to; what is on the web is not asked for, and told.
    private mutating func linked(_ link: String, from kml: String) -> Bundle.Entry? {
        let path = link.prefix { $0 != "?" && $0 != "#" }.lowercased()
        guard path.hasSuffix(".kml") || path.hasSuffix(".kmz") else { return nil }
        if path.hasPrefix("http://") || path.hasPrefix("https://") {
            findings.add(
                .kmzModelLinkBroken, at: Place(entry: kml),
                "\(kml) links to \(link.quoted()) on the web, which is not asked for", severity: .info)
            return nil
        }
        let (entry, _) = follow(link, from: kml)
        guard let entry, entry.path.lowercased().hasSuffix(".kml") else {
            add(.kmzModelLinkBroken, kml, "\(kml) links to \(link.quoted()), which is no KML document in the archive")
            return nil
        }
        return entry
    }

    // MARK: - Shared

    /// The largest manifest that is read, in bytes.
    private static let sizeLimit = 64 << 20

    /// - Parameter kind: The bundles that must have such a manifest; in others a file of its name may be anything.
    private mutating func read<Value>(
        _ entry: Bundle.Entry, of kind: Bundle.Kind, fault: FindingCode, limit: Int = sizeLimit,
        _ parse: ([UInt8]) throws -> Value
    ) -> Value? {
        let reason: String
        do {
            return try parse(try bundle.bytes(of: entry, limit: limit))
        } catch let error as any CodedError {
            reason = error.description
        } catch {
            reason = "\(error)"
        }
        if bundle.kind == kind { add(fault, entry.path, "\(entry.path) cannot be read: \(reason)") }
        return nil
    }

    private mutating func add(_ code: FindingCode, _ entry: String?, _ message: String) {
        // What a manifest gets wrong costs nothing when the scene is found all the same.
        findings.add(code, at: Place(entry: entry), message)
    }

    /// The entry that a manifest's text means: white space, `./`, `%` and `#` as the COLLADA 1.5 specification has them,
    /// else the file that a reference of a document would mean.
    private mutating func follow(_ text: String, from manifest: String) -> (Bundle.Entry?, fragment: String?) {
        let trimmed = text.trimmedWhiteSpace
        if let entry = entry(trimmed, from: manifest) { return (entry, nil) }
        let hash = trimmed.lastIndex(of: "#")
        let file = hash.map { String(trimmed[..<$0]) } ?? trimmed
        let fragment = hash.map { String(trimmed[trimmed.index(after: $0)...]) }.flatMap { $0.isEmpty ? nil : $0 }
        if hash != nil, let entry = entry(file, from: manifest) { return (entry, fragment) }
        guard !file.isEmpty, let locate, let found = locate(file, manifest), let entry = bundle.entry(at: found.path)
        else { return (nil, nil) }
        findings.add(
            .refByName, at: Place(entry: manifest),
            "\(manifest) names \(file.quoted()), which was found as \(found.path) (\(found.how))",
            arguments: [.init("reference", file), .init("path", found.path)])
        return (entry, fragment)
    }

    private mutating func entry(_ reference: String, from manifest: String) -> Bundle.Entry? {
        let folder = BundlePath.folder(of: manifest)
        for text in [reference, PercentEncoding.decode(reference)].compactMap({ $0 }) {
            let hasBackslash = text.utf8.contains(UInt8(ascii: "\\"))
            if hasBackslash, repairs == .refused { continue }
            let path = text.replacing("\\", with: "/")
            switch BundlePath.resolve(path, against: path.hasPrefix("/") ? "" : folder) {
            case .file(let path), .folder(let path):
                guard let entry = bundle.entry(at: path) else { continue }
                if hasBackslash {
                    add(
                        .quirkManifestBackslash, manifest,
                        "\(manifest) names \(text.quoted()); its back-slashes were taken for slashes"
                    )
                }
                return entry
            case .outside: continue
            }
        }
        return nil
    }

    // MARK: - The best of several

    private mutating func best() throws(CodedFailure) -> SceneChoice {
        guard let first = documents.first else {
            let count = bundle.entries.count
            let files = count == 1 ? "its 1 file" : "its \(count) files"
            let other =
                bundle.entries.first { $0.isOtherModel }.map { "; models such as \($0.path) are not read" } ?? ""
            throw CodedFailure(
                .bundleNoScene, "\(bundle.name) has no COLLADA document (.dae) among \(files)\(other)")
        }
        guard documents.count > 1 else { return choice(first, .onlyDocument) }
        let models =
            switch reading {
            case .searched, .each, .all: DocumentReferences.models(among: documents, of: bundle)
            case .unread: documents
            }
        guard models.count > 1 else { return choice(models.first ?? first, .unreferenced) }
        let (entry, rule) = Self.ranked(models, first, in: bundle)
        var choice = choice(entry, rule)
        choice.models = models.map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if reading == .each || reading == .all { return choice }
        let others = models.lazy.filter { $0 != entry }.prefix(Self.mostShown).map(\.path).joined(separator: ", ")
        add(
            .bundleMultipleScenes, nil,
            """
            there are \(documents.count) documents; \(entry.path) was chosen (\(rule.title())), and not looked at: \
            \(others)\(models.count > Self.mostShown + 1 ? ", …" : "")
            """)
        return choice
    }

    private static let mostShown = 5

    private static func ranked(
        _ documents: [Bundle.Entry], _ first: Bundle.Entry, in bundle: Bundle
    ) -> (Bundle.Entry, SceneRule) {
        let stem = bundle.name.stem.lowercased()
        let namesakes = documents.filter {
            $0.path.split(separator: "/").last.map { String($0).stem.lowercased() } == stem
        }
        if namesakes.count == 1 { return (namesakes[0], .namedLikeBundle) }
        let pool = namesakes.isEmpty ? documents : namesakes
        let depth = pool.map(\.path.depth).min() ?? 0
        let shallow = pool.filter { $0.path.depth == depth }
        if shallow.count == 1 { return (shallow[0], .shallowest) }
        let size = shallow.map(\.size).max() ?? 0
        let largest = shallow.filter { $0.size == size }
        if largest.count == 1 { return (largest[0], .largest) }
        return (largest.min { $0.path < $1.path } ?? first, .firstByName)
    }
}

extension Bundle.Entry {
    /// Whether it is a model in another format.
    fileprivate var isOtherModel: Bool {
        guard !isJunk, let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return [
            ".3ds", ".3mf", ".blend", ".fbx", ".glb", ".gltf", ".ifc", ".lwo", ".ma", ".max", ".mb", ".obj", ".ply",
            ".skp",
            ".step", ".stl", ".stp", ".usd", ".usda", ".usdc", ".usdz", ".wrl", ".x3d",
        ].contains(path[dot...].lowercased())
    }
}

extension String {
    fileprivate var depth: Int { utf8.count { $0 == UInt8(ascii: "/") } }

    /// Without the last ending.
    fileprivate var stem: String {
        guard let dot = lastIndex(of: "."), dot != startIndex else { return self }
        return String(self[..<dot])
    }

    var trimmedWhiteSpace: String {
        let isSpace = { (character: Character) in character.isWhitespace }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
