// What is below a node by its sids, also behind instances: the scene's nodes know their children, the document's which of
// them are instances, and addresses need both, in one order.

import DaeScene
import DaeXML

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
    /// Nodes passed so far: a bound on documents that make every address search everything.
    private(set) var work: WorkBudget

    init(_ shared: SharedDocument, _ scene: Scene, _ instances: InstanceTargets, stepLimit: Int) {
        self.shared = shared
        work = WorkBudget(stepLimit)
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
        guard work.mayGoOn() else { return false }
        work.count(1)
        let table = table(below: node)
        return sid.map { table.steps[$0] != nil } ?? (table.transforms[transform] != nil)
    }

    private mutating func table(below root: Int) -> SidTable {
        if let known = tables[root] { return known }
        var table = SidTable()
        var seen: Set<Int> = [root]
        var queue: [(node: Int, passage: Passage)] = [(root, .nothing)]
        var next = 0
        while next < queue.count, work.mayGoOn() {
            let (here, passage) = queue[next]
            next += 1
            let sids = document.nodes[here].transformSIDs
            work.count(1 + document.nodes[here].transformList.count)
            for (place, sid) in sids.enumerated() { table.addTransform(sid, of: here, at: place, passage) }
            for item in contents.items(of: here, &work) {
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

/// What is below one node by its sids: the first of each, breadth first.
private struct SidTable {
    /// What a step of an address leads on to.
    enum Place {
        case node(Int), camera(Int), light(Int)
        /// An instance whose target is not there.
        case nothing
    }
    struct Step {
        let place: Place
        let passage: NodeSids.Passage
        /// Among all that was added.
        let order: Int
    }
    struct Transform {
        let node: Int
        let place: Int
        let passage: NodeSids.Passage
        let order: Int
    }
    private(set) var steps: [String: Step] = [:]
    private(set) var transforms: [String: Transform] = [:]
    /// The sids of instances of what has no sids of its own within.
    var endings: Set<String> = []
    /// The nodes that instances without a sid lead to.
    var nameless: [(node: Int, passage: NodeSids.Passage)] = []
    private var added = 0

    mutating func addStep(_ sid: String?, to place: Place, _ passage: NodeSids.Passage) {
        added += 1
        guard let sid, steps[sid] == nil else { return }
        steps[sid] = Step(place: place, passage: passage, order: added)
    }

    mutating func addTransform(_ sid: String?, of node: Int, at place: Int, _ passage: NodeSids.Passage) {
        added += 1
        guard let sid, transforms[sid] == nil else { return }
        transforms[sid] = Transform(node: node, place: place, passage: passage, order: added)
    }
}

/// What is within each node, as addresses pass through it.
private struct NodeContents: DocumentSharing {
    enum Item {
        case own(Int)
        case instanced(Int, sid: String?, NodeSids.Passage)
        /// An instance with a sid that leads on to no node.
        case other(SidTable.Place, sid: String)
        /// An instance with a sid of what addresses do not go into.
        case ending(sid: String)
    }
    let shared: SharedDocument
    private let instances: InstanceTargets
    private let children: [[SceneIndex<Node>]]
    /// How many places each node has.
    private let places: [Int]

    init(_ shared: SharedDocument, _ scene: Scene, _ instances: InstanceTargets) {
        self.shared = shared
        self.instances = instances
        children = scene.nodes.map(\.children)
        var places = Array(repeating: 0, count: children.count)
        for child in children.joined() { places[child.value] += 1 }
        for root in shared.linked.document.visualScenes.lazy.flatMap(\.nodes) { places[root] += 1 }
        self.places = places
    }

    /// In the document's order.
    ///
    /// - Parameter work: Counts what had to be passed; once it is spent, no more order is sought.
    func items(of node: Int, _ work: inout WorkBudget) -> [Item] {
        let given = document.nodes[node]
        var named = instances[node][...]
        var rest = children[node][...]
        guard given.hasInstances || !named.isEmpty else { return rest.map { .own($0.value) } }
        work.count(given.contents.count)
        var items: [Item] = []
        /// Takes the children before one, which instances without a sid lead to, and that one.
        func pass(_ child: Int) {
            guard !work.isSpent else { return }
            guard let at = rest.firstIndex(of: SceneIndex(child)) else {
                work.count(rest.count)
                return
            }
            items += rest[..<at].map { instanced($0.value, sid: nil) }
            rest = rest[(at + 1)...]
        }
        for (place, content) in given.contents.enumerated() {
            if case .node(let child) = content {
                pass(child)
                items.append(.own(child))
            }
            guard let instance = named.first, instance.content == place else { continue }
            named.removeFirst()
            let target = instance.target
            if let child = target?.index(of: .node) {
                pass(child)
                items.append(instanced(child, sid: instance.sid))
            } else if let camera = target?.index(of: .camera) {
                items.append(.other(.camera(camera), sid: instance.sid))
            } else if let light = target?.index(of: .light) {
                items.append(.other(.light(light), sid: instance.sid))
            } else if target?.kind == .geometry || target?.kind == .controller || !content.instancesNodes {
                items.append(.ending(sid: instance.sid))
            } else {
                items.append(.other(.nothing, sid: instance.sid))
            }
        }
        return items + rest.map { instanced($0.value, sid: nil) }
    }

    private func instanced(_ child: Int, sid: String?) -> Item {
        .instanced(child, sid: sid, places[child] > 1 ? .sharedInstance : .instance)
    }
}

extension ColladaDocument.Node {
    var hasInstances: Bool { contents.contains(where: \.instancesNodes) }
}

extension ColladaDocument.Node.Content {
    fileprivate var instancesNodes: Bool {
        switch self {
        case .instanceNode, .instance: true
        case .node, .instanceGeometry, .instanceController, .instanceCamera, .instanceLight: false
        }
    }
}

/// What the instances that bear sids lead to, node by node.
struct InstanceTargets {
    struct Instance {
        /// Among the node's contents.
        let content: Int
        let sid: String
        /// `nil` where it leads nowhere.
        let target: ReferenceTable.Target?
    }
    /// Those of each node in the document's order.
    private var instances: [Int: [Instance]] = [:]

    mutating func add(_ sid: ColladaDocument.InstanceSID, of node: Int, to target: ReferenceTable.Target?) {
        instances[node, default: []].append(Instance(content: sid.content, sid: sid.sid, target: target))
    }

    subscript(node: Int) -> [Instance] { instances[node] ?? [] }
}
