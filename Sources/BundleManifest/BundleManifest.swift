public import Archive
public import Diagnostics
import URIReference

/// Picks a bundle's scene: what a manifest names, the only document, else the best of several.
public enum BundleManifest {
    /// What becomes of back-slashes in a manifest's paths, which some exporters write.
    public enum Repairs: Sendable, Hashable {
        /// They are taken for slashes, and told.
        case made
        case refused
    }

    /// - Parameter given: The path of the scene when the caller named it.
    /// - Returns: The choice, and what was odd about the bundle's manifests.
    /// - Throws: ``BundleManifestError`` when there is no document, or not the one that was asked for.
    public static func scene(
        of bundle: Bundle, given: String? = nil, repairs: Repairs = .made
    ) throws(BundleManifestError) -> (choice: SceneChoice, findings: FindingLog) {
        var chooser = SceneChooser(bundle, repairs)
        let choice = try chooser.choose(given: given)
        return (choice, chooser.findings)
    }
}

struct SceneChooser {
    private let bundle: Bundle
    private lazy var documents = Self.documents(of: bundle)
    private(set) var findings = FindingLog()
    private var manifests: [String] = []
    private let repairs: BundleManifest.Repairs

    init(_ bundle: Bundle, _ repairs: BundleManifest.Repairs) {
        self.bundle = bundle
        self.repairs = repairs
    }

    private static func documents(of bundle: Bundle) -> [Bundle.Entry] {
        bundle.entries.filter { entry in
            // Of entries with the same path one is meant by it; nobody can choose the others.
            entry.path.lowercased().hasSuffix(".dae") && !entry.isJunk
                && bundle.entry(at: entry.path).map { $0 == entry } ?? true
        }
    }

    mutating func choose(given: String?) throws(BundleManifestError) -> SceneChoice {
        if let given {
            guard let entry = bundle.entry(at: given) else {
                throw BundleManifestError(
                    .sourceNotFound, entry: given,
                    "\(bundle.name) has no entry \(given.quoted())")
            }
            return choice(entry, .given)
        }
        switch bundle.kind {
        case .dae: if let entry = bundle.entries.first { return choice(entry, .document) }
        case .zae: if let choice = zaeScene() { return choice }
        case .kmz: if let choice = kmzScene() { return choice }
        case .zip, .folder: if let choice = zaeScene() ?? kmzScene() { return choice }
        }
        return try best()
    }

    private mutating func choice(_ entry: Bundle.Entry, _ rule: SceneRule, fragment: String? = nil) -> SceneChoice {
        let isOnlyFile = bundle.entries.count == 1 && bundle.entries[0].path == entry.path
        return SceneChoice(
            entry: entry, rule: rule, fragment: fragment,
            candidates: isOnlyFile ? [] : documents.map(\.path).filter { $0 != entry.path }, manifests: manifests)
    }

    // MARK: - ZAE

    private static let zaeManifest = "manifest.xml"

    private mutating func zaeScene() -> SceneChoice? {
        guard let manifest = bundle.entry(at: Self.zaeManifest) else {
            if bundle.kind == .zae {
                add(.zaeManifestMissing, nil, "the archive has no manifest.xml, which COLLADA 1.5 asks for")
            }
            return nil
        }
        guard let texts = texts(["dae_root"], in: manifest, of: .zae, fault: .zaeManifestInvalid) else { return nil }
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

    private mutating func kmzScene() -> SceneChoice? {
        let kml =
            bundle.entry(at: "doc.kml")
            ?? bundle.entries.first { $0.path.lowercased().hasSuffix(".kml") && !$0.isJunk }
        guard let kml else {
            if bundle.kind == .kmz { add(.kmzDocMissing, nil, "the archive has no doc.kml") }
            return nil
        }
        guard let texts = texts(["Model", "Link", "href"], in: kml, of: .kmz, fault: .kmzModelLinkBroken) else {
            return nil
        }
        manifests.append(kml.path)
        // KML 2.1 has where textures lie in a file of its own.
        if let textures = bundle.entry(at: "textures.txt") { manifests.append(textures.path) }
        for href in texts {
            let (entry, fragment) = follow(href, from: kml.path)
            if let entry { return choice(entry, .kmzModelLink, fragment: fragment) }
            add(
                .kmzModelLinkBroken, kml.path,
                "\(kml.path) names the model \(href.quoted()), which is not in the archive")
        }
        return nil
    }

    // MARK: - Shared

    /// - Parameter kind: The bundles that must have such a manifest; in others a file of its name may be anything.
    private mutating func texts(
        _ path: [String], in entry: Bundle.Entry, of kind: Bundle.Kind, fault: FindingCode
    ) -> [String]? {
        let reason: String
        do {
            return try ElementTextReader.texts(at: path, in: entry, of: bundle)
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

    /// The entry that a manifest's text means: white space, `./`, `%` and `#` as the COLLADA 1.5 specification has them.
    private mutating func follow(_ text: String, from manifest: String) -> (Bundle.Entry?, fragment: String?) {
        let trimmed = text.trimmedWhiteSpace
        if let entry = entry(trimmed, from: manifest) { return (entry, nil) }
        guard let hash = trimmed.lastIndex(of: "#") else { return (nil, nil) }
        let fragment = String(trimmed[trimmed.index(after: hash)...])
        return (entry(String(trimmed[..<hash]), from: manifest), fragment.isEmpty ? nil : fragment)
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

    /// Whether a file is named as models of other formats are.
    private static func isOtherModel(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return [
            "3ds", "3mf", "blend", "fbx", "glb", "gltf", "ifc", "ma", "max", "mb", "obj", "ply", "skp", "step", "stl",
            "stp",
            "usd", "usda", "usdc", "usdz", "wrl", "x3d",
        ].contains(ending)
    }

    // MARK: - The best of several

    private mutating func best() throws(BundleManifestError) -> SceneChoice {
        guard let first = documents.first else {
            let other = bundle.entries.first { Self.isOtherModel($0.path) }
            throw BundleManifestError(
                .bundleNoScene,
                "\(bundle.name) has no COLLADA document (.dae) among its \(bundle.entries.count) files"
                    + (other.map { "; models such as \($0.path) are not read" } ?? ""))
        }
        guard documents.count > 1 else { return choice(first, .onlyDocument) }
        let (entry, rule) = ranked(first)
        add(
            .bundleMultipleScenes, nil,
            "there are \(documents.count) documents; \(entry.path) was chosen (\(rule.title))")
        return choice(entry, rule)
    }

    private mutating func ranked(_ first: Bundle.Entry) -> (Bundle.Entry, SceneRule) {
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
