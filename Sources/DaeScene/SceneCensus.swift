/// The figures of a scene with every instance counted, found without walking the instances one by one: a graph of
/// instances that would unfold to 2^100 nodes is counted (saturating at `Int.max`) in time linear in its nodes.
package struct SceneCensus: Sendable, Equatable {
    /// Nodes reached from the roots, an instanced node each time; those that are no elements do not count, nor as depth.
    package private(set) var nodes = 0
    /// Nodes on the longest path; a root is 1.
    package private(set) var depth = 0
    /// Geometry and controller instances reached.
    package private(set) var instances = 0
    /// Triangles of every instance.
    package private(set) var triangles = 0
    /// Parts of meshes that are drawn, those of every instance.
    package private(set) var drawCalls = 0
    /// Geometries reached at least once, ascending.
    package private(set) var geometries: [SceneIndex<Geometry>] = []
    /// Materials bound by a reached instance, ascending.
    package private(set) var materials: [SceneIndex<Material>] = []

    package init(of scene: Scene) {
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

// A rig that is instanced twice has each of its joints twice: which one moves a mesh is a question of where the mesh
// stands, so every place of every node is needed.

/// Where the nodes of a scene stand once instances are followed, parents first, in the document's order.
package struct UnfoldedScene: Sendable {
    // A scene may unfold to millions of nodes, so all is in 32 bits: −1 stands for none.
    /// By place, the scene's node.
    private var nodes: [Int32] = []
    private var parents: [Int32] = []
    /// By place, the last one below it; itself without any.
    private var ends: [Int32] = []
    /// Places of a node are `ordered[starts[node]..<starts[node + 1]]`, ascending.
    private var starts: [Int32] = []
    private var ordered: [Int32] = []
    /// Steps that searches may still take, all together: places lie within one another as deep as a document wants.
    private var steps = 50_000_000

    package init() {}

    /// - Parameter scene: Its unfolded nodes must have been counted and found few enough to walk (``SceneCensus``).
    package init(of scene: Scene) {
        var stack = scene.roots.reversed().map { (node: $0.value, parent: -1) }
        while let (node, parent) = stack.popLast() {
            let place = add(node, below: parent)
            for child in scene.nodes[node].children.reversed() { stack.append((child.value, place)) }
        }
        close(nodes: scene.nodes.count)
    }

    /// Adds the next place; a node's parent comes before it, and all that is below the one before it.
    ///
    /// - Parameter parent: A place; −1 for a root.
    package mutating func add(_ node: Int, below parent: Int) -> Int {
        nodes.append(Int32(clamping: node))
        parents.append(Int32(clamping: parent))
        return nodes.count - 1
    }

    /// Makes it ready for questions, once all places were added.
    ///
    /// - Parameter count: Nodes that the scene has.
    package mutating func close(nodes count: Int) {
        ends = nodes.indices.map { Int32(clamping: $0) }
        for place in nodes.indices.reversed() where parents[place] >= 0 {
            let parent = Int(parents[place])
            ends[parent] = max(ends[parent], ends[place])
        }
        starts = [Int32](repeating: 0, count: count + 1)
        for node in nodes { starts[Int(node) + 1] += 1 }
        for node in 0..<count { starts[node + 1] += starts[node] }
        ordered = [Int32](repeating: 0, count: nodes.count)
        var next = starts
        for (place, node) in nodes.enumerated() {
            ordered[Int(next[Int(node)])] = Int32(clamping: place)
            next[Int(node)] += 1
        }
    }

    package var count: Int { nodes.count }

    package func node(at place: Int) -> SceneIndex<Node> { SceneIndex(Int(nodes[place])) }

    /// The place around one; `nil` for a root.
    package func parent(of place: Int) -> Int? { parents[place] < 0 ? nil : Int(parents[place]) }

    /// The first place of a node; `nil` for one that the scene does not reach.
    package func firstPlace(of node: SceneIndex<Node>) -> Int? {
        starts[node.value] < starts[node.value + 1] ? Int(ordered[Int(starts[node.value])]) : nil
    }

    /// The place of a node that is nearest to another place: the first below the closest of the places around that one
    /// which have it below them.
    package mutating func place(of node: SceneIndex<Node>, nearestTo place: Int) -> Int? {
        let all = Int(starts[node.value])..<Int(starts[node.value + 1])
        guard all.count > 1 else { return firstPlace(of: node) }
        let next = first(in: all, from: place)
        let (before, after) = (
            next > all.lowerBound ? Int(ordered[next - 1]) : nil, next < all.upperBound ? Int(ordered[next]) : nil
        )
        var around = place
        while steps > 0 {
            steps -= 1
            if after.map({ $0 <= Int(ends[around]) }) == true || before.map({ $0 >= around }) == true {
                return Int(ordered[first(in: all, from: around)])
            }
            guard let parent = parent(of: around) else { break }
            around = parent
        }
        return firstPlace(of: node)
    }

    /// The first of some ordered places that is not before one.
    private func first(in range: Range<Int>, from place: Int) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if Int(ordered[middle]) < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
