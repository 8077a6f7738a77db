// Each index costs time in a large bundle, and most bundles need none: so each is made when first asked for.

import DaeArchive
import DaeCore
import DaeImages
import Synchronization

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

// A hostile bundle has 200,000 files of one name and as many references to it: so duplicates lie sorted, and whether
// one of them is nearest is found by halving.

/// Files of a bundle by a name of theirs, built once.
struct NameIndex: Sendable {
    enum Match {
        case none
        /// The only file of that name in the bundle.
        case unique(String)
        /// The nearest of several.
        case nearest(String)
        /// None is nearest: the first paths by name, and how many there are.
        case several([String], count: Int)
    }

    private let files: PathForms
    /// What lies in a folder under a name, by the two joined; `nil` where several do. For shared names only.
    private var beside: [String: String?] = [:]

    /// - Parameter name: `nil` leaves a file out.
    init(_ paths: [String], name: (String) -> String?) {
        files = PathForms(paths, form: name)
        for (name, paths) in files.shared {
            for path in paths {
                let key = BundlePath.join(BundlePath.folder(of: path), name)
                beside.updateValue(beside[key] == nil ? path : nil, forKey: key)
            }
        }
    }

    /// How many ancestors of a folder are looked into.
    static let ancestors = 8

    var isEmpty: Bool { files.isEmpty }

    func contains(_ name: String) -> Bool { files.contains(name) }

    /// The file of that name: the only one there is, else the one in `folder` itself, else the only one below it or
    /// below the nearest folder around it that has any.
    ///
    /// - Complexity: O(1) for a name that occurs once, else O(log n) in the files of that name.
    func match(_ name: String, near folder: String) -> Match {
        let paths = files.paths(of: name)
        guard let only = paths.first else { return .none }
        guard paths.count > 1 else { return .unique(only) }
        if let own = beside[BundlePath.join(folder, name)] ?? nil { return .nearest(own) }
        var place = folder
        for _ in 0..<Self.ancestors where !place.isEmpty {
            let below = paths.prefixed(place + "/", most: 2)
            if below.count == 1, let path = below.first { return .nearest(path) }
            if below.count > 1 { break }
            place = BundlePath.folder(of: place)
        }
        return .several(Array(paths.prefix(Resolution.shownPaths)), count: paths.count)
    }
}

// A plain comparison of two strings takes composed and decomposed letters for equal, and sorts accordingly.

extension String {
    /// Whether both have the same bytes.
    func hasBytes(of other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.span.commonCount(with: other.utf8.span) == utf8.count
    }

    /// Whether it begins with the bytes of another.
    func hasBytePrefix(_ prefix: String) -> Bool {
        utf8.count >= prefix.utf8.count && utf8.span.commonCount(with: prefix.utf8.span) == prefix.utf8.count
    }

    /// Whether it is the path of something below a folder.
    func isBelow(_ folder: String) -> Bool {
        let length = folder.utf8.count
        return utf8.count > length && utf8.span[length] == Self.slash && hasBytePrefix(folder)
    }

    /// Whether it stands before the paths of all that is below a folder.
    func precedesAll(below folder: String) -> Bool {
        let (own, others) = (utf8.span, folder.utf8.span)
        let common = own.commonCount(with: others)
        guard common < own.count else { return true }
        return own[common] < (common < others.count ? others[common] : Self.slash)
    }

    private static let slash = UInt8(ascii: "/")

    /// - Parameter byte: Of ASCII.
    func holds(_ byte: UInt8) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] == byte { return true }
        return false
    }

    /// Whether it stands before another by their bytes.
    func precedesByBytes(_ other: String) -> Bool {
        let (own, others) = (utf8.span, other.utf8.span)
        let common = own.commonCount(with: others)
        guard common < own.count, common < others.count else { return own.count < others.count }
        return own[common] < others[common]
    }
}

extension Span<UInt8> {
    /// How many bytes are the same at the head of both.
    fileprivate func commonCount(with other: Span<UInt8>) -> Int {
        let most = Swift.min(count, other.count)
        var common = 0
        while common < most, self[common] == other[common] { common += 1 }
        return common
    }
}

/// A value made when it is first asked for, once. A class since all copies of its owner share what was made.
final class Lazy<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    var value: Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
