import SceneModel

/// Nodes and their transforms by sids below a node, breadth first, through instances of nodes too.
///
/// An address goes from an element to one within it, and an instance stands for what it instances: so what is below that
/// counts as below the instance, one level deeper than its own node.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax"; the joints and kinematics of 1.5.0 address through
///   instances.
struct NodeSids {
    /// What lies between two nodes of an address.
    enum Passage {
        case nothing, instance
        /// An instance of a node that has other places too.
        case sharedInstance

        func then(_ next: Passage) -> Passage {
            switch (self, next) {
            case (.sharedInstance, _), (_, .sharedInstance): .sharedInstance
            case (.instance, _), (_, .instance): .instance
            case (.nothing, .nothing): .nothing
            }
        }
    }
    struct Found {
        let node: Int
        /// Among the node's transforms; `nil` for the node itself.
        let transform: Int?
        var passage = Passage.nothing
        /// Among all that is below the same node, breadth first.
        var order = 0
    }
    /// A transform, and what had to be assumed on the way to it.
    struct Way {
        let node: Int
        let transform: Int
        let passage: Passage
        /// Steps that are no node's sid, each taken for that of an instance, and how many instances it could be.
        let assumed: [(sid: String, candidates: Int)]
    }
    private struct Table {
        var nodes: [String: Found] = [:]
        var transforms: [String: Found] = [:]
        /// The nodes that instances below lead to.
        var instanced: [(node: Int, passage: Passage)] = []
    }
    private let document: ColladaDocument
    private let children: [[SceneIndex<Node>]]
    /// How many places each node has.
    private var places: [Int]
    private var tables: [Int: Table] = [:]
    private var steps = 0
    /// Nodes passed so far: a bound on documents that make every address search everything.
    private let stepLimit: Int
    /// Whether addresses were looked for no further than the limit.
    private(set) var isExhausted = false  // a fact, for the finding

    init(_ document: ColladaDocument, _ scene: Scene, stepLimit: Int) {
        self.document = document
        self.stepLimit = stepLimit
        children = scene.nodes.map(\.children)
        places = Array(repeating: 0, count: children.count)
        for child in children.joined() { places[child.value] += 1 }
        for root in document.visualScenes.lazy.flatMap(\.nodes) { places[root] += 1 }
    }

    /// What an address leads to from the node of its id; a last part such as `.ANGLE` is passed over.
    mutating func find(_ address: TargetAddress, below root: Int) -> Found? {
        var node = root
        for sid in address.sids {
            guard let next = table(below: node).nodes[sid] else { return nil }
            node = next.node
        }
        let table = table(below: node)
        for ending in address.endings {
            switch (table.nodes[ending.name], table.transforms[ending.name]) {
            case (let node?, let transform?): return node.order < transform.order ? node : transform
            case (let found?, nil), (nil, let found?): return found
            case (nil, nil): continue
            }
        }
        return nil
    }

    /// The transform with a sid, on the way over the sids of nodes and instances.
    ///
    /// Instances' own sids are not known here: a step that is no node's sid is taken for an instance's when the next
    /// step is found below what one instances.
    mutating func transform(_ name: String, over sids: [String], below root: Int) -> Way? {
        var node = root
        var passage = Passage.nothing
        var assumed: [(sid: String, candidates: Int)] = []
        for (place, sid) in sids.enumerated() {
            let table = table(below: node)
            if let next = table.nodes[sid] {
                passage = passage.then(next.passage)
                node = next.node
                continue
            }
            let following = place + 1 < sids.count ? sids[place + 1] : nil
            let candidates = table.instanced.filter { has(following, or: name, below: $0.node) }
            guard let first = candidates.first else { return nil }
            assumed.append((sid, candidates.count))
            passage = passage.then(first.passage)
            node = first.node
        }
        guard let found = table(below: node).transforms[name], let transform = found.transform else { return nil }
        return Way(node: found.node, transform: transform, passage: passage.then(found.passage), assumed: assumed)
    }

    private mutating func has(_ sid: String?, or transform: String, below node: Int) -> Bool {
        guard steps < stepLimit else {
            isExhausted = true
            return false
        }
        steps += 1
        let table = table(below: node)
        return sid.map { table.nodes[$0] != nil } ?? (table.transforms[transform] != nil)
    }

    private mutating func table(below root: Int) -> Table {
        if let known = tables[root] { return known }
        var table = Table()
        var seen: Set<Int> = [root]
        var queue: [(node: Int, passage: Passage)] = [(root, .nothing)]
        var next = 0
        var order = 0
        while next < queue.count {
            guard steps < stepLimit else {
                isExhausted = true
                break
            }
            let (here, passage) = queue[next]
            next += 1
            let node = document.nodes[here]
            steps += 1 + node.transforms.count
            if here != root, let sid = node.sid, table.nodes[sid] == nil {
                table.nodes[sid] = Found(node: here, transform: nil, passage: passage, order: order)
            }
            order += 1
            for (place, transform) in node.transforms.enumerated() {
                guard let sid = transform.sid, table.transforms[sid] == nil else { continue }
                table.transforms[sid] = Found(node: here, transform: place, passage: passage, order: order)
                order += 1
            }
            let own = Set(node.hasInstances ? node.children : [])
            for child in children[here].map(\.value) where seen.insert(child).inserted {
                guard node.hasInstances, !own.contains(child) else {
                    queue.append((child, passage))
                    continue
                }
                let through = passage.then(places[child] > 1 ? .sharedInstance : .instance)
                table.instanced.append((child, through))
                queue.append((child, through))
            }
        }
        tables[root] = table
        return table
    }
}
