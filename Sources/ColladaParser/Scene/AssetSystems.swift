import SceneModel
import XMLReader

/// In which unit and up axis each place of all documents is written, and which the scene has.
struct AssetSystems {
    /// The scene's: those of the first document.
    private(set) var main = CoordinateSystem()
    /// One a document.
    private(set) var scopes: [AssetScopes] = []
    /// Of each node; empty where all are in the scene's.
    private var nodes: [CoordinateSystem] = []

    /// Where an element is used: a library's is in the system of there, where nothing else says what it is in.
    struct Place {
        let system: CoordinateSystem
        let document: Int
    }

    mutating func add(_ scopes: AssetScopes) {
        if self.scopes.isEmpty { main = scopes.system }
        self.scopes.append(scopes)
    }

    /// Whether everything is written in the scene's.
    var areUniform: Bool { scopes.allSatisfy { $0.isUniform && $0.system == main } }

    /// Finds the systems of nodes: one that is instanced has that of where it first is.
    mutating func setNodes(_ nodes: [ColladaDocument.Node], in scene: Scene) {
        guard !areUniform else { return }
        self.nodes = nodes.map { system(at: $0.position) }
        var isKnown = [Bool](repeating: false, count: nodes.count)
        var stack: [(node: Int, place: Place?)] = scene.roots.reversed().map { ($0.value, nil) }
        while let (node, place) = stack.popLast() {
            guard nodes.indices.contains(node), !isKnown[node] else { continue }
            isKnown[node] = true
            let position = nodes[node].position
            if let place { self.nodes[node] = system(at: position, within: place) }
            let own = Place(system: self.nodes[node], document: position.document)
            for child in scene.nodes[node].children.reversed() { stack.append((child.value, own)) }
        }
    }

    func system(ofNode index: Int) -> CoordinateSystem { nodes.indices.contains(index) ? nodes[index] : main }

    func system(at position: XMLPosition, within place: Place?) -> CoordinateSystem {
        guard let place, place.document == position.document, scopes.indices.contains(place.document) else {
            return system(at: position)
        }
        return scopes[place.document].system(at: position, within: place.system)
    }

    func system(at position: XMLPosition) -> CoordinateSystem {
        scopes.indices.contains(position.document) ? scopes[position.document].system(at: position) : main
    }

    /// What becomes of the numbers that are written at a place.
    func change(at position: XMLPosition) -> SystemChange { SystemChange(from: system(at: position), to: main) }
}
