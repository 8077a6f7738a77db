import BundleManifest
import Synchronization
import URIReference

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
