import Daedalus

/// What an entry is to its bundle.
enum EntryUse: String {
    case scene, texture, document, manifest, archive, junk, unused, other
}

/// Tells what the entries of a bundle are, by its scene where that can be read, else by their names.
struct EntryUses {
    private let scene: String?
    private let manifests: Set<String>
    private let textures: Set<String>
    /// `nil` where the scene could not be read.
    private let unused: Set<String>?

    init(_ choice: SceneChoice?, _ inspection: Inspection?) {
        scene = choice?.entry.path
        manifests = Set(choice?.manifests ?? [])
        textures = Set(inspection?.images.compactMap(\.path) ?? [])
        unused = inspection.map { Set($0.bundle.unused) }
    }

    func use(of entry: Bundle.Entry) -> EntryUse {
        if entry.path == scene { return .scene }
        if textures.contains(entry.path) { return .texture }
        if manifests.contains(entry.path) { return .manifest }
        switch entry.role {
        case .junk: return .junk
        case .manifest: return .manifest
        case .document where unused?.contains(entry.path) != true: return .document
        case .image where unused == nil: return .texture
        case .archive: return .archive
        case .document, .image, .other:
            if let unused { return unused.contains(entry.path) ? .unused : .other }
            return .other
        }
    }
}
