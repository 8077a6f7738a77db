import SceneModel

/// A node of the tree that is written: each stands in one place.
struct ExportNode {
    /// The scene's node it is; `nil` for one that only carries what its parent had no place for.
    let node: SceneIndex<Node>?
    /// `nil` for a root.
    var parent: Int?
    var transform: ExportTransform
    /// What it shows.
    var instance: Instance?
    var children: [Int] = []
}

/// How a node stands in the one around it.
enum ExportTransform: Equatable {
    case identity
    /// Where no channel needs the parts.
    case matrix(Matrix4)
    case parts(RigidScale)
}
