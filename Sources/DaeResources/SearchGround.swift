import DaeArchive
import DaeCore
import Synchronization

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
