// Most meshes have a handful of sources, which are sooner looked through than hashed.

/// Where among the sources of one mesh an id leads.
struct SourcePlaces {
    private let sources: [ColladaDocument.Source]
    /// Empty where there are few sources.
    private var byID: [String: Int] = [:]
    /// By the ids of their arrays; likewise.
    private var byArrayID: [String: Int] = [:]

    private static let few = 16

    init(_ sources: [ColladaDocument.Source]) {
        self.sources = sources
        guard sources.count > Self.few else { return }
        for index in sources.indices {
            if let id = sources[index].id, byID[id] == nil { byID[id] = index }
            if let id = sources[index].arrayID, byArrayID[id] == nil { byArrayID[id] = index }
        }
    }

    /// The first source of an id.
    func source(_ id: String) -> Int? {
        guard sources.count <= Self.few else { return byID[id] }
        return sources.indices.first { sources[$0].id == id }
    }

    /// The first source whose array a text is the address of.
    func holder(addressedBy text: String) -> Int? {
        guard text.utf8.first == UInt8(ascii: "#") else { return nil }
        guard sources.count <= Self.few else { return byArrayID[String(text.dropFirst())] }
        let id = String(text.dropFirst())
        return sources.indices.first { sources[$0].arrayID == id }
    }
}
