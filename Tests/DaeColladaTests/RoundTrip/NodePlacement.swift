import DaeScene

/// Where a node's element stands. Wherever else the node is, it is instanced.
enum NodePlacement: Hashable {
    case root
    /// Within another node, as this one of its children.
    case nested(in: Int, at: Int)
    case library

    /// - Parameter sharedInLibrary: Whether nodes with several parents stand in a library, or where they are met first.
    static func all(in scene: Scene, sharedInLibrary: Bool) -> [NodePlacement] {
        var placements = [NodePlacement](repeating: .library, count: scene.nodes.count)
        var edges = [Int](repeating: 0, count: scene.nodes.count)
        for (parent, node) in scene.nodes.enumerated() {
            for (place, child) in node.children.enumerated() {
                edges[child.value] += 1
                if edges[child.value] == 1 {
                    placements[child.value] = .nested(in: parent, at: place)
                } else if sharedInLibrary {
                    placements[child.value] = .library
                }
            }
        }
        for root in scene.roots { placements[root.value] = .root }
        return placements
    }
}
