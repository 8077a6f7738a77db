import SceneModel

/// Nodes and their transforms by sids below a node, breadth first, through instances too.
///
/// An address goes from an element to one within it, and an instance stands for what it instances: so that has the depth
/// of the instance, and what is below it counts as below the instance.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax"; the joints and kinematics of 1.5.0 address through
///   instances.
struct NodeSids: DocumentSharing {
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
    }
    /// What a channel moves, and what had to be assumed on the way to it.
    struct Way {
        enum End {
            case transform(of: Int, at: Int)
            /// The part is still to be found in it.
            case camera(Int), light(Int)
        }
        let end: End
        let passage: Passage
        /// Steps that are the sid of nothing, each taken for that of an instance without one, and how many such
        /// instances it could be.
        let assumed: [(sid: String, candidates: Int)]
    }
    let shared: SharedDocument
    private let contents: NodeContents
    private var tables: [Int: SidTable] = [:]
    private var steps = 0
    /// Nodes passed so far: a bound on documents that make every address search everything.
    private let stepLimit: Int
    /// Whether addresses were looked for no further than the limit.
    private(set) var isExhausted = false  // a fact, for the finding

    init(_ shared: SharedDocument, _ scene: Scene, _ instances: InstanceTargets, stepLimit: Int) {
        self.shared = shared
        self.stepLimit = stepLimit
        contents = NodeContents(shared, scene, instances)
    }

    /// What an address leads to from the node of its id; a last part such as `.ANGLE` is passed over.
    mutating func find(_ address: TargetAddress, below root: Int) -> Found? {
        var node = root
        for sid in address.sids {
            guard case .node(let next)? = table(below: node).steps[sid]?.place else { return nil }
            node = next
        }
        let table = table(below: node)
        for ending in address.endings {
            let transform = table.transforms[ending.name]
            if let step = table.steps[ending.name], case .node(let node) = step.place,
                transform.map({ step.order < $0.order }) ?? true
            {
                return Found(node: node, transform: nil)
            }
            if let transform { return Found(node: transform.node, transform: transform.place) }
        }
        return nil
    }

    /// The transform with a sid, or the camera or light that has it, on the way over the sids of nodes and instances.
    ///
    /// Exporters leave out the sids of instances: a step that is the sid of nothing is taken for that of an instance
    /// without one when the next step is found below what it instances.
    mutating func way(to name: String, over sids: [String], below root: Int) -> Way? {
        var node = root
        var passage = Passage.nothing
        var assumed: [(sid: String, candidates: Int)] = []
        for (place, sid) in sids.enumerated() {
            let table = table(below: node)
            let isLast = place + 1 == sids.count
            if let step = table.steps[sid] {
                passage = passage.then(step.passage)
                switch step.place {
                case .node(let next): node = next
                case .camera(let camera):
                    return isLast ? Way(end: .camera(camera), passage: passage, assumed: assumed) : nil
                case .light(let light):
                    return isLast ? Way(end: .light(light), passage: passage, assumed: assumed) : nil
                case .nothing: return nil
                }
                continue
            }
            guard !table.endings.contains(sid) else { return nil }
            let following = isLast ? nil : sids[place + 1]
            let candidates = table.nameless.filter { has(following, or: name, below: $0.node) }
            guard let first = candidates.first else { return nil }
            assumed.append((sid, candidates.count))
            passage = passage.then(first.passage)
            node = first.node
        }
        guard let found = table(below: node).transforms[name] else { return nil }
        return Way(
            end: .transform(of: found.node, at: found.place), passage: passage.then(found.passage), assumed: assumed)
    }

    private mutating func has(_ sid: String?, or transform: String, below node: Int) -> Bool {
        guard steps < stepLimit else {
            isExhausted = true
            return false
        }
        steps += 1
        let table = table(below: node)
        return sid.map { table.steps[$0] != nil } ?? (table.transforms[transform] != nil)
    }

    private mutating func table(below root: Int) -> SidTable {
        if let known = tables[root] { return known }
        var table = SidTable()
        var seen: Set<Int> = [root]
        var queue: [(node: Int, passage: Passage)] = [(root, .nothing)]
        var next = 0
        while next < queue.count {
            guard steps < stepLimit else {
                isExhausted = true
                break
            }
            let (here, passage) = queue[next]
            next += 1
            let sids = document.nodes[here].transformSIDs
            steps += 1 + document.nodes[here].record.transformCount
            for (place, sid) in sids.enumerated() { table.addTransform(sid, of: here, at: place, passage) }
            for item in contents.items(of: here, steps: &steps, limit: stepLimit) {
                switch item {
                case .own(let child):
                    guard seen.insert(child).inserted else { continue }
                    table.addStep(document.nodes[child].sid, to: .node(child), passage)
                    queue.append((child, passage))
                case .instanced(let child, sid: let sid, let kind):
                    let through = passage.then(kind)
                    table.addStep(sid, to: .node(child), through)
                    guard seen.insert(child).inserted else { continue }
                    table.addStep(document.nodes[child].sid, to: .node(child), through)
                    if sid == nil { table.nameless.append((child, through)) }
                    queue.append((child, through))
                case .other(let place, sid: let sid): table.addStep(sid, to: place, passage)
                case .ending(sid: let sid): table.endings.insert(sid)
                }
            }
        }
        tables[root] = table
        return table
    }
}
