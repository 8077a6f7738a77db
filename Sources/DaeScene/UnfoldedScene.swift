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
