// Each index costs time in a large bundle, and most bundles need none: so each is made when first asked for.

import Archive
import BundleManifest
import ImageProbe
import Synchronization
import URIReference

/// What is known of a bundle's names, found out once. A class since a look at one of them would copy them all.
final class BundleIndexes: Sendable {
    private let lazyBaseNames: Lazy<NameIndex>
    private let lazyFoldedNames: Lazy<NameIndex>
    private let lazyImageStems: Lazy<NameIndex>
    private let lazyCanonicalPaths: Lazy<PathForms>
    private let lazyMendedPaths: Lazy<PathForms>
    private let lazyFoldedPaths: Lazy<PathForms>
    private let lazyResources: Lazy<ResourceBundleIndex>
    private let lazyPackages: Lazy<NamedFolder>
    private let lazyModels: Lazy<NamedFolder>
    private let lazyAliases: Lazy<TextureMaps>
    private let lazySorted: Lazy<[String]>
    private let container: any ResourceContainer
    /// Of archives into which paths led in another case, by their paths.
    private let archives = Mutex<[String: BundleIndexes]>([:])

    init(_ container: any ResourceContainer) {
        self.container = container
        let paths = Lazy { container.paths.filter { !Self.isLeftover($0) } }
        lazyBaseNames = Lazy { NameIndex(paths.value) { BundlePath.baseName(of: $0) } }
        lazyFoldedNames = Lazy {
            NameIndex(paths.value) { BundlePath.baseName(of: MendedName.path($0) ?? $0).caseFolded }
        }
        lazyImageStems = Lazy { NameIndex(paths.value) { ImageName(file: BundlePath.baseName(of: $0))?.stem } }
        lazyCanonicalPaths = Lazy { PathForms(paths.value) { $0.isASCII ? nil : $0 } }
        lazyMendedPaths = Lazy { PathForms(paths.value, form: MendedName.path) }
        lazyFoldedPaths = Lazy { PathForms(paths.value) { $0.caseFolded } }
        lazyResources = Lazy { ResourceBundleIndex(paths.value) }
        lazyPackages = Lazy { NamedFolder(.package, in: container) }
        lazyModels = Lazy { NamedFolder(.model, in: container) }
        lazyAliases = Lazy { TextureMaps(container) }
        lazySorted = Lazy { paths.value.sortedOnce() }
    }

    /// What macOS and its servers leave beside files, under names that are theirs or nearly so.
    private static func isLeftover(_ path: String) -> Bool {
        path.hasPrefix("__MACOSX/") || path.hasPrefix(".AppleDouble/") || BundlePath.baseName(of: path).hasPrefix("._")
    }

    /// Files by their names.
    var baseNames: NameIndex { lazyBaseNames.value }
    /// Files by their names, in which case means nothing, and no more does a packer that knew no UTF-8.
    var foldedNames: NameIndex { lazyFoldedNames.value }
    /// Image files by their case-folded names, without their endings.
    var imageStems: NameIndex { lazyImageStems.value }
    /// Paths that are not ASCII; equal are those whose letters are.
    var canonicalPaths: PathForms { lazyCanonicalPaths.value }
    /// Paths whose UTF-8 was taken for another encoding, by what they were.
    var mendedPaths: PathForms { lazyMendedPaths.value }
    /// Files whose paths, case-folded, are this one; archives within count as folders where there is no other.
    func paths(folded path: String) -> [String] {
        let own = lazyFoldedPaths.value.paths(of: path)
        guard own.isEmpty else { return own }
        for (outer, within) in Bundle.archives(in: path) {
            // Two that differ in case alone say nothing of which is meant.
            let known = lazyFoldedPaths.value.paths(of: outer)
            guard known.count == 1, let archive = known.first, let indexes = indexes(ofArchive: archive) else {
                continue
            }
            let found = indexes.paths(folded: within)
            if !found.isEmpty { return found.map { archive + "/" + $0 } }
        }
        return []
    }

    private func indexes(ofArchive path: String) -> BundleIndexes? {
        if let known = archives.withLock({ $0[path] }) { return known }
        guard let inner = container.container(at: path) else { return nil }
        let made = BundleIndexes(inner)
        archives.withLock { $0[path] = made }
        return made
    }
    var resources: ResourceBundleIndex { lazyResources.value }
    var aliases: TextureMaps { lazyAliases.value }

    func named(_ kind: NamedFolder.Kind) -> NamedFolder {
        switch kind {
        case .package: lazyPackages.value
        case .model: lazyModels.value
        }
    }

    /// Whether files lie below this path.
    func isFolder(_ path: String) -> Bool {
        path.isEmpty || lazySorted.value.hasPath(below: path)
    }
}

/// A name as files of images have it.
struct ImageName {
    /// Case-folded, without the ending.
    let stem: String

    /// `nil` where the ending is no image format's.
    init?(file name: String) {
        guard let dot = name.lastIndex(ofAny: [UInt8(ascii: ".")]), dot != name.startIndex else { return nil }
        guard Self.endings.contains(String(name[name.utf8.index(after: dot)...]).lowercased()) else { return nil }
        stem = String(name[..<dot]).caseFolded
    }

    static let endings = Set(ImageFormat.allCases.flatMap(\.extensions))
}

/// The maps of textures that a bundle holds.
struct TextureMaps: Sendable {
    /// What a KML document says of the textures of one model.
    struct ModelMap: Sendable {
        /// The KML document's path, and its link to the model.
        let manifest: String
        let link: String
        let aliases: [KMLDocument.Alias]
    }

    /// What any of them says.
    private(set) var all = TextureAliases()
    private(set) var models: [ModelMap] = []

    /// Files `textures.txt` that are read, and the largest, in bytes.
    private static let mostRead = 8
    private static let largest = 1 << 20

    init(_ container: any ResourceContainer) {
        // Of a lone document's folder no list is made only for this.
        let paths = container.isListComplete ? container.paths : ["doc.kml", "textures.txt"]
        let texts = paths.filter { $0.hasEnding("textures.txt") && BundlePath.baseName(of: $0).utf8.count == 12 }
        for path in texts.sortedOnce().prefix(Self.mostRead) {
            guard let bytes = container.bytes(at: path, limit: Self.largest) else { continue }
            all.add(texturesText: bytes, in: BundlePath.folder(of: path))
        }
        addMaps(of: paths.filter { $0.hasEnding(".kml") }, in: container)
        for model in models { all.add(model.aliases, in: BundlePath.folder(of: model.manifest)) }
    }

    /// Those of KML documents, in the order in which the scene is looked for in them.
    private mutating func addMaps(of paths: [String], in container: any ResourceContainer) {
        let first = KMLWalk.start(among: paths).map { [$0] } ?? []
        var walk = KMLWalk(first + paths.sortedOnce())
        while let path = walk.path() {
            guard let bytes = container.bytes(at: path, limit: walk.limit) else { continue }
            walk.take(bytes: bytes.count)
            guard let document = KMLDocument(bytes) else { continue }
            let folder = BundlePath.folder(of: path)
            all.add(document.aliases, in: folder)
            for model in document.models where !model.aliases.isEmpty {
                models.append(ModelMap(manifest: path, link: model.link, aliases: model.aliases))
            }
            for link in document.networkLinks.prefix(KMLWalk.mostDocuments + 1) {
                guard case .file(let linked) = BundlePath.resolve(link, against: folder), linked.hasEnding(".kml"),
                    container.contains(linked)
                else { continue }
                walk.add(linked)
            }
        }
    }
}

extension String {
    /// - Parameter ending: Of ASCII, in small letters.
    fileprivate func hasEnding(_ ending: String) -> Bool {
        utf8.count >= ending.utf8.count
            && utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) { $0 == $1 || ($0 | 0x20) == $1 }
    }
}
