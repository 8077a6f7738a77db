import SceneModel
import XMLReader

/// In which unit and up axis each place of all documents is written, and which the scene has.
struct AssetSystems {
    /// The scene's: those of the first document.
    private(set) var main = CoordinateSystem()
    /// One a document.
    private(set) var scopes: [AssetScopes] = []

    mutating func add(_ scopes: AssetScopes) {
        if self.scopes.isEmpty { main = scopes.system }
        self.scopes.append(scopes)
    }

    /// Whether everything is written in the scene's.
    var areUniform: Bool { scopes.allSatisfy { $0.isUniform && $0.system == main } }

    func system(at position: XMLPosition) -> CoordinateSystem {
        scopes.indices.contains(position.document) ? scopes[position.document].system(at: position) : main
    }

    /// What becomes of the numbers that are written at a place.
    func change(at position: XMLPosition) -> SystemChange { SystemChange(from: system(at: position), to: main) }
}
