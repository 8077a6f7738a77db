/// The figures of a scene with every instance counted, found without walking the instances one by one: a graph of
/// instances that would unfold to 2^100 nodes is counted (saturating at `Int.max`) in time linear in its nodes.
public struct SceneCensus: Sendable, Equatable {
    /// Nodes reached from the roots, an instanced node each time; those that only convert do not count, nor as depth.
    public private(set) var nodes = 0
    /// Nodes on the longest path; a root is 1.
    public private(set) var depth = 0
    /// Geometry and controller instances reached.
    public private(set) var instances = 0
    /// Triangles of every instance.
    public private(set) var triangles = 0
    /// Parts of meshes that are drawn, those of every instance.
    public private(set) var drawCalls = 0
    /// Geometries reached at least once, ascending.
    public private(set) var geometries: [SceneIndex<Geometry>] = []
    /// Materials bound by a reached instance, ascending.
    public private(set) var materials: [SceneIndex<Material>] = []

    public init(of scene: Scene) {
        var below = [Totals](repeating: Totals(), count: scene.nodes.count)
        var drawn = [Bool](repeating: false, count: scene.geometries.count)
        var bound = [Bool](repeating: false, count: scene.materials.count)
        let nodes = scene.nodes.span
        let geometries = scene.geometries.span
        for index in scene.nodesChildrenFirst {
            let level = nodes[index].role.isElement ? 1 : 0
            var totals = Totals(nodes: level, depth: level)
            // By index: what is taken out of a list would be copied, with all it holds.
            for place in nodes[index].instances.indices {
                let bindings = nodes[index].instances[place].bindings
                for place in bindings.indices {
                    if let material = bindings[place].material { bound[material.value] = true }
                }
                guard let geometry = scene.geometry(drawnBy: nodes[index].instances[place]) else { continue }
                drawn[geometry.value] = true
                let measure = geometries[geometry.value].measure.figures
                totals.instances = totals.instances.addingSaturated(1)
                totals.triangles = totals.triangles.addingSaturated(measure.triangles)
                totals.drawCalls = totals.drawCalls.addingSaturated(measure.submeshes)
            }
            for child in nodes[index].children { totals.add(below[child.value], levels: level) }
            below[index] = totals
        }
        var all = Totals()
        for root in scene.roots { all.add(below[root.value], levels: 0) }
        self.nodes = all.nodes
        depth = all.depth
        instances = all.instances
        triangles = all.triangles
        drawCalls = all.drawCalls
        self.geometries = drawn.indices.lazy.filter { drawn[$0] }.map { SceneIndex($0) }
        materials = bound.indices.lazy.filter { bound[$0] }.map { SceneIndex($0) }
    }

    private struct Totals {
        var nodes = 0
        var depth = 0
        var instances = 0
        var triangles = 0
        var drawCalls = 0

        mutating func add(_ other: Totals, levels: Int) {
            nodes = nodes.addingSaturated(other.nodes)
            depth = max(depth, other.depth + levels)
            instances = instances.addingSaturated(other.instances)
            triangles = triangles.addingSaturated(other.triangles)
            drawCalls = drawCalls.addingSaturated(other.drawCalls)
        }
    }
}

extension Instance {
    var bindings: [MaterialBinding] {
        switch self {
        case .geometry(_, let materials), .controller(_, skeleton: _, let materials): materials
        case .camera, .light: []
        }
    }
}

extension Int {
    func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension Scene {
    /// The nodes that can be reached from the roots, each once, every node after its children.
    var nodesChildrenFirst: [Int] {
        var order: [Int] = []
        order.reserveCapacity(nodes.count)
        var isSeen = [Bool](repeating: false, count: nodes.count)
        // `next` is the child to look at next.
        var stack: [(node: Int, next: Int)] = []
        for root in roots where !isSeen[root.value] {
            isSeen[root.value] = true
            stack.append((root.value, 0))
            while let (node, next) = stack.last {
                guard next < nodes[node].children.count else {
                    order.append(node)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next = next + 1
                let child = nodes[node].children[next].value
                guard !isSeen[child] else { continue }
                isSeen[child] = true
                if nodes[child].children.isEmpty {
                    order.append(child)
                } else {
                    stack.append((child, 0))
                }
            }
        }
        return order
    }
}
