// Instances that lead back to where they stand.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// Takes out every edge that leads back to a node above it. The walk begins at the scene's own roots, then at
    /// parents before children, so that what is cut is the instance within a node and not the node's own place.
    mutating func cutCycles() {
        // Nodes within nodes are a tree.
        guard instancedNodes > 0 else { return }
        var visits = [Visit](repeating: .new, count: scene.nodes.count)
        for root in scene.roots { cutCycles(from: root.value, &visits) }
        for start in scene.nodes.indices.reversed() { cutCycles(from: start, &visits) }
    }

    private enum Visit { case new, open, done }

    private mutating func cutCycles(from start: Int, _ visits: inout [Visit]) {
        guard visits[start] == .new else { return }
        visits[start] = .open
        var stack: [(node: Int, next: Int, kept: [SceneIndex<Node>]?)] = [(start, 0, nil)]
        while let (node, next, _) = stack.last {
            let top = stack.count - 1
            guard next < scene.nodes[node].children.count else {
                if let kept = stack[top].kept { scene.nodes[node].children = kept }
                visits[node] = .done
                stack.removeLast()
                continue
            }
            stack[top].next += 1
            let child = scene.nodes[node].children[next]
            switch visits[child.value] {
            case .open:
                if stack[top].kept == nil { stack[top].kept = Array(scene.nodes[node].children[..<next]) }
                let place = Self.place(of: document.nodes[node])
                log.add(
                    .refCycle, at: place,
                    "a node instances itself; the last instance was left out")
            case .new:
                stack[top].kept?.append(child)
                visits[child.value] = .open
                stack.append((child.value, 0, nil))
            case .done: stack[top].kept?.append(child)
            }
        }
    }
}
