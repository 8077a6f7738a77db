/// The figures of a scene with every instance counted, found without walking the instances one by one: a graph of
/// instances that would unfold to 2^100 nodes is counted (saturating at `Int.max`) in time linear in its nodes.
public struct SceneCensus: Sendable, Equatable {
    /// Nodes reached from the roots, an instanced node each time; those that are no elements do not count, nor as depth.
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
        var count = Count(scene)
        // Into the totals, of nodes that have some; most are leaves with little on them, looked at where they are children.
        var places = [Int32](repeating: -1, count: scene.nodes.count)
        var below: [Totals] = []
        for index in scene.nodesChildrenFirst where !count.isSmallLeaf(index) {
            let level = scene.nodes[index].role.isElement ? 1 : 0
            var totals = count.own(index)
            for child in scene.nodes[index].children {
                let place = Int(places[child.value])
                totals.add(place < 0 ? count.own(child.value) : below[place], levels: level)
            }
            places[index] = Int32(truncatingIfNeeded: below.count)
            below.append(totals)
        }
        var all = Totals()
        for root in scene.roots {
            let place = Int(places[root.value])
            all.add(place < 0 ? count.own(root.value) : below[place], levels: 0)
        }
        self.nodes = all.nodes
        depth = all.depth
        instances = all.instances
        triangles = all.triangles
        drawCalls = all.drawCalls
        geometries = count.drawn.indices.lazy.filter { count.drawn[$0] }.map { SceneIndex($0) }
        materials = count.bound.indices.lazy.filter { count.bound[$0] }.map { SceneIndex($0) }
    }

    /// What nodes have by themselves, and what they draw with.
    private struct Count {
        private let scene: Scene
        private(set) var drawn: [Bool]
        private(set) var bound: [Bool]
        private static let few = 4

        init(_ scene: Scene) {
            self.scene = scene
            drawn = [Bool](repeating: false, count: scene.geometries.count)
            bound = [Bool](repeating: false, count: scene.materials.count)
        }

        /// Whether a node is sooner looked at again than remembered, however many parents it has.
        func isSmallLeaf(_ index: Int) -> Bool {
            scene.nodes[index].children.isEmpty && scene.nodes[index].instances.count <= Self.few
        }

        mutating func own(_ index: Int) -> Totals {
            let level = scene.nodes[index].role.isElement ? 1 : 0
            var totals = Totals(nodes: level, depth: level)
            // By index: what is taken out of a list would be copied, with all it holds.
            for place in scene.nodes[index].instances.indices {
                let bindings = scene.nodes[index].instances[place].bindings
                for place in bindings.indices {
                    if let material = bindings[place].material { bound[material.value] = true }
                }
                guard let geometry = scene.geometry(drawnBy: scene.nodes[index].instances[place]) else { continue }
                drawn[geometry.value] = true
                let measure = scene.geometries[geometry.value].measure.figures
                totals.instances = totals.instances.addingSaturated(1)
                totals.triangles = totals.triangles.addingSaturated(measure.triangles)
                totals.drawCalls = totals.drawCalls.addingSaturated(measure.submeshes)
            }
            return totals
        }
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
