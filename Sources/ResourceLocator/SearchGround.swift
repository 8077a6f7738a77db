import Synchronization
import URIReference

/// What all searches of one locator share. A class since each of them has it.
final class SearchGround: Sendable {
    let container: any ResourceContainer
    let indexes: BundleIndexes
    let frame: BundleFrame
    let host: HostGround
    /// What the bundle's KML documents say of the textures of each model, by its path.
    private let modelMaps = Mutex<[ExactName: [TextureMaps.ModelMap]]?>(nil)

    init(container: any ResourceContainer, indexes: BundleIndexes, frame: BundleFrame, host: HostGround) {
        self.container = container
        self.indexes = indexes
        self.frame = frame
        self.host = host
    }

    /// What KML documents say of the textures of the model at a path.
    func modelMaps(of document: String) -> [TextureMaps.ModelMap] {
        guard !indexes.aliases.models.isEmpty else { return [] }
        return modelMaps.withLock { made in
            if let made { return made[ExactName(document)] ?? [] }
            var maps: [ExactName: [TextureMaps.ModelMap]] = [:]
            for map in indexes.aliases.models {
                var search = ReferenceSearch(
                    map.link, folder: BundlePath.folder(of: frame.inward(map.manifest)), .document, in: self)
                guard case .found(let path, _, _) = search.run() else { continue }
                maps[ExactName(frame.inward(path)), default: []].append(map)
            }
            made = maps
            return maps[ExactName(document)] ?? []
        }
    }
}
