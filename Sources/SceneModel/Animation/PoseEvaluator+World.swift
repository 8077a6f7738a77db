extension PoseEvaluator {
    /// Visits every place that a node has in the world, parents first, in the order of the document: a node that is
    /// instanced twice comes twice.
    ///
    /// - Parameters:
    ///   - scene: The scene that the evaluator was made of; its unfolded nodes must have been counted and found few
    ///     enough to walk (``SceneCensus``).
    ///   - visit: Gets a node and the matrix from it to the world.
    public func forEachPlacement(in scene: Scene, _ visit: (SceneIndex<Node>, Matrix4) -> Void) {
        walk(scene) { node, matrix in
            visit(node, matrix)
            return true
        }
    }

    /// From each node to the world, for its first place in the document's order; `nil` for nodes that the scene does
    /// not reach.
    ///
    /// - Complexity: O(nodes + edges), however often nodes are instanced.
    public func worlds(in scene: Scene) -> [Matrix4?] {
        var worlds = [Matrix4?](repeating: nil, count: locals.count)
        walk(scene) { node, matrix in
            // What hangs below a node seen before was seen then, too.
            guard worlds[node.value] == nil else { return false }
            worlds[node.value] = matrix
            return true
        }
        return worlds
    }

    /// - Parameter visit: Says whether to go on below the node.
    private func walk(_ scene: Scene, _ visit: (SceneIndex<Node>, Matrix4) -> Bool) {
        var stack = scene.roots.reversed().map { (node: $0, parent: Matrix4.identity) }
        while let (node, parent) = stack.popLast() {
            guard locals.indices.contains(node.value), scene.nodes.indices.contains(node.value) else { continue }
            let matrix = parent * locals[node.value]
            guard visit(node, matrix) else { continue }
            for child in scene.nodes[node].children.reversed() { stack.append((child, matrix)) }
        }
    }
}
