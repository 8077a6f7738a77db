import DaeArchive
import DaeCore
import Synchronization

/// The folders of this machine that a policy allows, each opened when first needed.
struct HostGround: Sendable {
    private struct Place: Sendable {
        let root: HostRoot
        let folder: Lazy<HostFolder?>
        /// Folders of packages below it, by their own names.
        let packages: Lazy<[String: String]>
    }

    private let places: [Place]
    /// The lone document whose `../` may leave its root.
    private let leaving: LoneDocument?

    /// How deep packages are searched for, and among how many files and folders.
    private static let depth = 5
    private static let most = 50_000

    init(_ policy: LocatorPolicy, _ document: LoneDocument?) {
        places = policy.roots.map { root in
            let folder = Lazy { HostFolder(path: root.folder) }
            return Place(
                root: root, folder: folder,
                packages: Lazy {
                    folder.value?.folders(holding: "package.xml", depth: Self.depth, most: Self.most) ?? [:]
                })
        }
        leaving = policy.mayLeaveRoot ? document : nil
    }

    var mayLeaveRoot: Bool { leaving != nil }

    /// What a path of a named folder may be on this machine, in the order they are to be tried, and whether the option
    /// for that very name is given.
    func files(_ kind: NamedFolder.Kind, _ name: String, _ path: String, isOption: Bool) -> [HostFile] {
        places.flatMap { place -> [HostFile] in
            let root = place.root
            switch (root.purpose, kind) {
            case (.package(let own), .package), (.model(let own), .model):
                return isOption && own == name ? [HostFile(root: root, path: path)] : []
            case (.packagePath, .package):
                guard !isOption else { return [] }
                let direct = HostFile(root: root, path: "\(name)/\(path)")
                if contains(direct) { return [direct] }
                guard let folder = place.packages.value[name] else { return [direct] }
                return [direct, HostFile(root: root, path: folder.isEmpty ? path : "\(folder)/\(path)")]
            case (.amentPrefix, .package):
                return isOption ? [] : [HostFile(root: root, path: "share/\(name)/\(path)")]
            case (.modelPath, .model):
                return isOption ? [] : [HostFile(root: root, path: "\(name)/\(path)")]
            case (.package, .model), (.model, .package), (.packagePath, .model), (.amentPrefix, .model),
                (.modelPath, .package), (.fuelCache, _), (.above, _), (.linkTarget, _):
                return []
            }
        }
    }

    /// Whether some root has a folder of that name.
    func knows(_ kind: NamedFolder.Kind, _ name: String) -> Bool {
        files(kind, name, "", isOption: true).isEmpty == false
            || files(kind, name, "x", isOption: false).contains { file in
                let parts = file.path.split(separator: "/").dropLast().joined(separator: "/")
                return isFolder(parts, of: file.root)
            }
    }

    /// A file of Fuel in the caches, in the order they are to be tried.
    func files(_ address: FuelAddress) -> [HostFile] {
        places.filter { $0.root.purpose == .fuelCache }.flatMap { place in
            address.folders.flatMap { folder -> [HostFile] in
                let versions = address.version == "tip" ? newest(in: folder, of: place) : [address.version]
                return versions.map { HostFile(root: place.root, path: "\(folder)/\($0)/\(address.path)") }
            }
        }
    }

    /// The folder with the greatest number; none where there is none.
    private func newest(in folder: String, of place: Place) -> [String] {
        let versions = place.folder.value?.list(folder, most: 4096).folders.compactMap { Int($0) }
        return (versions ?? []).max().map { [String($0)] } ?? []
    }

    /// A path that leads above the lone document's root, as a file there; `nil` where that is not allowed.
    func fileAbove(levels: Int, path: String, shown: String) -> HostFile? {
        guard levels > 0, !path.isEmpty, let folder = leaving?.ancestor(levels) else { return nil }
        return HostFile(root: HostRoot(.above(levels: levels), folder: folder), path: path, shown: shown)
    }

    func contains(_ file: HostFile) -> Bool { presence(of: file) == .file }

    /// What lies there. A link is followed above a lone document's root alone, never out of a named folder.
    func presence(of file: HostFile) -> ResourcePresence {
        let presence = folder(of: file.root)?.presence(of: file.path) ?? .none
        switch file.root.purpose {
        case .above:
            guard presence == .link else { return presence }
            return LinkTarget(following: file.root.folder + "/" + file.path)?.presence ?? .link
        case .package, .model, .packagePath, .amentPrefix, .modelPath, .fuelCache, .linkTarget: return presence
        }
    }

    func open(_ file: HostFile) throws(ByteSourceError) -> FileByteSource {
        guard let folder = folder(of: file.root) else {
            throw ByteSourceError(
                operation: "open", subject: file.shown, reason: "its folder is not there", isMissing: true)
        }
        return try folder.file(at: file.path, shown: file.shown)
    }

    private func isFolder(_ path: String, of root: HostRoot) -> Bool {
        (folder(of: root)?.list(path, most: 1).count ?? 0) > 0
    }

    private func folder(of root: HostRoot) -> HostFolder? {
        if let place = places.first(where: { $0.root == root }) { return place.folder.value }
        switch root.purpose {
        case .above where leaving != nil, .linkTarget where leaving != nil: return HostFolder(path: root.folder)
        case .above, .linkTarget, .package, .model, .packagePath, .amentPrefix, .modelPath, .fuelCache: return nil
        }
    }
}

/// A folder of this machine below which files may be used, and what for.
public struct HostRoot: Sendable, Hashable {
    /// What files below a folder are taken for.
    public enum Purpose: Sendable, Hashable {
        /// The folder of one package, as an option names it.
        case package(String)
        /// The folder of one model, as an option names it.
        case model(String)
        /// Holds packages at any depth, as the folders of `ROS_PACKAGE_PATH`.
        case packagePath
        /// Holds packages in `share`, as the folders of `AMENT_PREFIX_PATH`.
        case amentPrefix
        /// Holds models, as the folders of `GZ_SIM_RESOURCE_PATH`.
        case modelPath
        /// What Gazebo's client fetched from Fuel; usually `~/.gz/fuel`.
        case fuelCache
        /// So many folders above a lone document's root; only the locator makes it.
        case above(levels: Int)
        /// Where a symbolic link beside a lone document leads; only the locator makes it.
        case linkTarget
    }

    package let purpose: Purpose
    /// A path of this machine. The folder itself may be a link; below it none is followed.
    package let folder: String

    /// A folder of this machine.
    public init(_ purpose: Purpose, folder: String) {
        self.purpose = purpose
        self.folder = folder
    }

    /// The folder where a person named it, by an option or a variable.
    var named: String? {
        switch purpose {
        case .package, .model, .packagePath, .amentPrefix, .modelPath, .fuelCache: folder
        case .above, .linkTarget: nil
        }
    }

    /// What names the folder, without its path on this machine.
    package var label: String {
        switch purpose {
        case .package(let name): "package \(name)"
        case .model(let name): "model \(name)"
        case .packagePath: "ROS_PACKAGE_PATH"
        case .amentPrefix: "AMENT_PREFIX_PATH"
        case .modelPath: "GZ_SIM_RESOURCE_PATH"
        case .fuelCache: "Fuel cache"
        case .above: "above the root"
        case .linkTarget: "through a link"
        }
    }
}

extension HostRoot {
    /// The folders that the environment of ROS and Gazebo names, in its order; relative ones are left out.
    package static func roots(environment: [String: String]) -> [HostRoot] {
        let variables: [(String, Purpose)] = [
            ("ROS_PACKAGE_PATH", .packagePath), ("AMENT_PREFIX_PATH", .amentPrefix),
            ("GZ_SIM_RESOURCE_PATH", .modelPath),
        ]
        return variables.flatMap { name, purpose in
            (environment[name] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map {
                HostRoot(purpose, folder: String($0))
            }
        }
    }
}

/// A file of this machine that is no part of the bundle.
package struct HostFile: Sendable, Hashable {
    package let root: HostRoot
    /// Below the root's folder.
    package let path: String
    /// For reports: relative to the bundle for what lies above a lone document's root, else the root's label and the
    /// path, without the machine's own folders.
    package let shown: String

    init(root: HostRoot, path: String, shown: String? = nil) {
        self.root = root
        self.path = path
        self.shown = shown ?? "\(root.label): \(path)"
    }

    /// - Parameter shown: The link that leads there.
    init(_ target: LinkTarget, shown: String) {
        self.init(root: HostRoot(.linkTarget, folder: target.folder), path: target.name, shown: shown)
    }
}

/// What all searches of one locator share. A class since each of them has it.
final class SearchGround: Sendable {
    let container: any ResourceContainer
    let indexes: BundleIndexes
    let frame: BundleFrame
    let host: HostGround
    /// What the bundle's KML documents say of the textures of each model, by its path.
    private let modelMaps = Mutex<[ExactName: TextureAliases]?>(nil)

    init(container: any ResourceContainer, indexes: BundleIndexes, frame: BundleFrame, host: HostGround) {
        self.container = container
        self.indexes = indexes
        self.frame = frame
        self.host = host
    }

    /// What KML documents say of the textures of the model at a path; `nil` where they say nothing.
    func modelMaps(of document: String) -> TextureAliases? {
        guard !indexes.aliases.models.isEmpty else { return nil }
        return modelMaps.withLock { made in
            let maps = made ?? makeModelMaps()
            made = maps
            return maps[ExactName(document)]
        }
    }

    private func makeModelMaps() -> [ExactName: TextureAliases] {
        struct Link: Hashable {
            let folder: String
            let text: String
        }
        var maps: [ExactName: TextureAliases] = [:]
        // Thousands of models may have one document.
        var documents: [Link: ExactName?] = [:]
        for map in indexes.aliases.models {
            let folder = BundlePath.folder(of: map.manifest)
            let link = Link(folder: BundlePath.folder(of: frame.inward(map.manifest)), text: map.link)
            let document = documents[link] ?? self.document(at: link.text, from: link.folder)
            documents[link] = .some(document)
            if let document { maps[document, default: .init()].add(map.aliases, in: folder) }
        }
        return maps
    }

    private func document(at link: String, from folder: String) -> ExactName? {
        var search = ReferenceSearch(link, folder: folder, .document, in: self)
        guard case .found(let path, _, _) = search.run() else { return nil }
        return ExactName(frame.inward(path))
    }
}

// A lone document's bundle is the folder it lies in, but its root may be higher. Searching is done by paths from the
// root; callers have paths from the document's folder, some of which begin with `../`. Elsewhere the two are the same.

/// Turns paths from the root into paths from the document's folder, and back.
struct BundleFrame: Sendable, Hashable {
    /// The document's folder, from the root; "" where that is the root.
    let folder: String

    /// As callers have it. The path may begin with `../`, which then lead above the root.
    func outward(_ path: String) -> String {
        guard !folder.isEmpty else { return path }
        var own = folder.split(separator: "/")[...]
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        while parts.count > 1, let first = own.first, let part = parts.first, first.utf8.elementsEqual(part.utf8) {
            own.removeFirst()
            parts.removeFirst()
        }
        return (own.map { _ in ".." } + parts).joined(separator: "/")
    }

    /// As the search has it; `../` at its head lead above the root.
    func inward(_ path: String) -> String {
        guard !folder.isEmpty else { return path }
        let (levels, rest) = BundlePath.climb(path, from: folder)
        return String(repeating: "../", count: levels) + rest
    }
}

/// Paths that were looked up for one reference. Most lead to a handful, which is found sooner in a list than by hashes.
struct TriedPaths {
    /// The first ones.
    private var list: [String] = []
    /// The rest.
    private var table: Set<ExactName> = []

    private static let longestList = 16
    private static let usualList = 8

    /// Says whether the path is new.
    mutating func insert(_ path: String) -> Bool {
        for index in list.indices where list[index].hasBytes(of: path) { return false }
        guard list.count == Self.longestList else {
            if list.isEmpty { list.reserveCapacity(Self.usualList) }
            list.append(path)
            return true
        }
        return table.insert(ExactName(path)).inserted
    }
}
