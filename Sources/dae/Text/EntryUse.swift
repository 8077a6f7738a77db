import Daedalus

/// What an entry is to its bundle.
enum EntryUse: String {
    case scene, texture, document, manifest, archive, junk, unused, other
}

/// Tells what the entries of a bundle are, by its scene where that can be read, else by their names.
///
/// To be asked for the entries in the bundle's order, or for one alone.
struct EntryUses {
    private let scene: String?
    private let manifests: Set<String>
    private let textures: Set<String>
    /// Those to come, in the bundle's order; `nil` where the scene could not be read.
    private var unused: ArraySlice<String>?
    /// Paths of which the first entry was met, which is the one that is used.
    private var met: Set<String> = []

    /// - Parameter entry: The only one that is asked for; `nil` for all of the bundle.
    init(_ choice: SceneChoice?, _ inspection: Inspection?, of entry: Bundle.Entry?) {
        scene = choice?.entry.path
        manifests = Set(choice?.manifests ?? [])
        textures = Set(inspection?.images.compactMap(\.path) ?? [])
        let all = inspection?.bundle.unused
        unused = entry.map { entry in all?.filter { $0 == entry.path }[...] } ?? all?[...]
    }

    mutating func use(of entry: Bundle.Entry) -> EntryUse {
        if unused?.first == entry.path {
            unused?.removeFirst()
            return unusedKind(of: entry)
        }
        if let use = useInScene(of: entry) { return met.insert(entry.path).inserted ? use : .unused }
        switch entry.role {
        case .junk: return .junk
        case .manifest: return .manifest
        case .document: return .document
        case .image: return unused == nil ? .texture : .other
        case .archive: return .archive
        case .other: return .other
        }
    }

    private func useInScene(of entry: Bundle.Entry) -> EntryUse? {
        if entry.path == scene { return .scene }
        if textures.contains(entry.path) { return .texture }
        return manifests.contains(entry.path) ? .manifest : nil
    }

    private func unusedKind(of entry: Bundle.Entry) -> EntryUse {
        switch entry.role {
        case .junk: .junk
        case .manifest: .manifest
        case .archive: .archive
        case .document, .image, .other: .unused
        }
    }
}
