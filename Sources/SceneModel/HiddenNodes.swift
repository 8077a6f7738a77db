// What an exporter hid is drawn by nothing that is made of the scene, so it has no part in the scene's size either.

/// Which nodes of a scene are left out of what is drawn, each with all that is below it.
package struct HiddenNodes: Sendable {
    private var nodes: Set<Int> = []

    package init(of scene: Scene) {
        let span = scene.nodes.span
        for index in span.indices where span[index].record.isHidden { nodes.insert(index) }
        guard !nodes.isEmpty else { return }
        // One whose visibility a channel moves, which leads to nothing that the scene has, is shown all the time.
        var appearing: Set<String> = []
        for target in scene.animations.lazy.flatMap(\.unresolvedTargets) where target.lowercased().contains("/visib") {
            appearing.insert(String(target.prefix { $0 != "/" }))
        }
        nodes = nodes.filter { index in !(scene.nodes[index].id.map { appearing.contains($0) } ?? false) }
    }

    package var isEmpty: Bool { nodes.isEmpty }

    /// Whether a node is hidden itself.
    package func contains(_ node: Int) -> Bool { !nodes.isEmpty && nodes.contains(node) }
}
