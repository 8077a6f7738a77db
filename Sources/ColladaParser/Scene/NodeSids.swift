import SceneModel

/// Nodes and their transforms by sids below a node, breadth first, through instances of nodes too.
struct NodeSids {
    struct Found {
        let node: Int
        /// Among the node's transforms; `nil` for the node itself.
        let transform: Int?
    }
    private let document: ColladaDocument
    private let children: [[SceneIndex<Node>]]
    private var tables: [Int: [String: Found]] = [:]
    private var steps = 0
    /// Nodes passed so far: a bound on documents that make every address search everything.
    private static let stepLimit = 4_000_000

    init(_ document: ColladaDocument, _ scene: Scene) {
        self.document = document
        children = scene.nodes.map(\.children)
    }

    /// What an address leads to from the node of its id; a last part such as `.ANGLE` is passed over.
    mutating func find(_ address: TargetAddress, below root: Int) -> Found? {
        var node = root
        for sid in address.sids {
            guard let next = table(below: node)[sid], next.transform == nil else { return nil }
            node = next.node
        }
        for ending in address.endings {
            if let found = table(below: node)[ending.name] { return found }
        }
        return nil
    }

    private mutating func table(below root: Int) -> [String: Found] {
        if let known = tables[root] { return known }
        var table: [String: Found] = [:]
        var seen: Set<Int> = [root]
        var queue = [root]
        var next = 0
        while next < queue.count, steps < Self.stepLimit {
            let here = queue[next]
            next += 1
            let node = document.nodes[here]
            steps += 1 + node.transforms.count
            if here != root, let sid = node.sid, table[sid] == nil { table[sid] = Found(node: here, transform: nil) }
            for (place, transform) in node.transforms.enumerated() {
                guard let sid = transform.sid, table[sid] == nil else { continue }
                table[sid] = Found(node: here, transform: place)
            }
            for child in children[here] where seen.insert(child.value).inserted { queue.append(child.value) }
        }
        tables[root] = table
        return table
    }
}
