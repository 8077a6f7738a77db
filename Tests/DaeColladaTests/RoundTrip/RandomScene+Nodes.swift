import DaeScene

extension RandomScene {
    /// Nodes under one another without a circle: each has children behind it alone.
    mutating func addNodes() {
        for index in 0..<dice.int(1...9) {
            scene.nodes.append(node())
            let before = SceneIndex<Node>(index)
            if index == 0 || dice.chance(0.25) {
                scene.roots.append(before)
                // What stands in the scene may be instanced below another node, too.
                if index > 0, dice.chance(0.2) { instance(before) }
            } else if !dice.chance(0.1) {
                // Else it stands in a library only.
                for _ in 0..<dice.pick([1, 1, 1, 2, 3]) { instance(before) }
            }
        }
        if dice.chance(0.3) { addTwins() }
        giveIDs()
    }

    private mutating func instance(_ node: SceneIndex<Node>) {
        scene.nodes[dice.int(0...node.value - 1)].children.append(node)
    }

    private mutating func node() -> Node {
        var node = Node(
            id: maybeID("node"), name: maybeName(), sid: maybeID("sid"), kind: dice.pick(Node.Kind.allCases),
            transforms: [])
        for _ in 0..<dice.pick([0, 1, 1, 2, 4]) { add(transform(), to: &node) }
        if dice.chance(0.5) {
            node.transformSIDs = node.transforms.map { _ in maybeID("step") }
            if node.transformSIDs.allSatisfy({ $0 == nil }) { node.transformSIDs = [] }
        }
        return node
    }

    /// Unless it has no direction, which is told of.
    private func add(_ transform: Transform, to node: inout Node) {
        if transform.matrix != nil { node.transforms.append(transform) }
    }

    private mutating func transform() -> Transform {
        switch dice.int(0...5) {
        case 0:
            let rows = dice.numbers(12) + [0, 0, 0, 1]
            return Matrix4(rows: rows).map { .matrix($0) } ?? .translate(.zero)
        case 1: return .translate(dice.vector())
        case 2: return .rotate(axis: dice.vector(), degrees: dice.number())
        case 3: return .scale(dice.vector())
        case 4: return .skew(degrees: dice.tame() / 3, from: dice.vector(), along: dice.vector())
        default: return .lookat(eye: dice.vector(), interest: dice.vector(), up: dice.vector())  // integers
        }
    }

    /// What is instanced needs an id.
    private mutating func giveIDs() {
        let edges = scene.edges
        let roots = Set(scene.roots)
        for index in scene.nodes.indices where scene.nodes[index].id == nil {
            let isNested = edges[index] == 1 && !roots.contains(SceneIndex(index))
            let isRoot = edges[index] == 0 && roots.contains(SceneIndex(index))
            if !isNested && !isRoot && edges[index] > 0 { scene.nodes[index].id = newID("node") }
        }
    }

    // MARK: - Armatures

    /// Two armatures whose joints have the same sids.
    private mutating func addTwins() {
        let sids = (0..<dice.int(1...3)).map { _ in newID("joint") }
        var roots: [SceneIndex<Node>] = []
        for _ in 0..<2 {
            for (place, sid) in sids.enumerated() {
                let index = SceneIndex<Node>(scene.nodes.count)
                var joint = node()
                (joint.id, joint.sid, joint.kind) = (newID("node"), sid, .joint)
                scene.nodes.append(joint)
                if place == 0 {
                    roots.append(index)
                    scene.roots.append(index)
                } else {
                    scene.nodes[index.value - 1].children.append(index)
                }
            }
        }
        twins = .init(sids: sids, roots: roots)
    }

    /// Armatures that one skin fits.
    struct Twins {
        var sids: [String]
        var roots: [SceneIndex<Node>]
    }
}

extension Scene {
    /// Of each node, how often it is a child.
    var edges: [Int] {
        var edges = [Int](repeating: 0, count: nodes.count)
        for child in nodes.flatMap(\.children) { edges[child.value] += 1 }
        return edges
    }

    /// The nodes of a subtree, its root first, each once.
    func subtree(of root: SceneIndex<Node>) -> [SceneIndex<Node>] {
        var found = [root]
        var seen = Set(found)
        var next = 0
        while next < found.count {
            for child in nodes[found[next]].children where seen.insert(child).inserted { found.append(child) }
            next += 1
        }
        return found
    }
}
