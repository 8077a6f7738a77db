import DaeDiagnostics
import DaeScene
import DaeXML

// What is below a node by its sids, also behind instances: the scene's nodes know their children, the document's which of
// them are instances, and addresses need both, in one order.

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
    private let instances: InstanceTargets
    private let children: [[SceneIndex<Node>]]
    /// How many places each node has.
    private let places: [Int]
    private var tables: [Int: SidTable] = [:]
    /// Nodes passed so far: a bound on documents that make every address search everything.
    private(set) var work: WorkBudget

    init(_ shared: SharedDocument, _ scene: Scene, _ instances: InstanceTargets, stepLimit: Int) {
        self.shared = shared
        work = WorkBudget(stepLimit)
        self.instances = instances
        children = scene.nodes.map(\.children)
        var places = Array(repeating: 0, count: children.count)
        for child in children.joined() { places[child.value] += 1 }
        for root in shared.linked.document.visualScenes.lazy.flatMap(\.nodes) { places[root] += 1 }
        self.places = places
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
        var walk = SidWalk(from: root)
        while let (here, passage) = walk.next(), work.mayGoOn() {
            work.count(1 + document.nodes[here].transformList.count)
            for (place, sid) in document.nodes[here].transformSIDs.enumerated() {
                walk.table.addTransform(sid, of: here, at: place, passage)
            }
            passContents(of: here, passage, on: &walk)
        }
        tables[root] = walk.table
        return walk.table
    }

    /// Passes what is within a node, in the document's order. Once the work is spent, no more order is sought.
    private mutating func passContents(of node: Int, _ passage: Passage, on walk: inout SidWalk) {
        let given = document.nodes[node]
        var named = instances[node][...]
        var rest = children[node][...]
        guard given.hasInstances || !named.isEmpty else {
            for child in rest { walk.pass(child.value, sid: document.nodes[child.value].sid, passage) }
            return
        }
        work.count(given.contents.count)
        for (place, content) in given.contents.enumerated() {
            if case .node(let child) = content {
                passInstances(before: child, &rest, passage, on: &walk)
                walk.pass(child, sid: document.nodes[child].sid, passage)
            }
            guard let instance = named.first, instance.content == place else { continue }
            named.removeFirst()
            let target = instance.target
            if let child = target?.index(of: .node) {
                passInstances(before: child, &rest, passage, on: &walk)
                pass(child, instance.sid, passage, on: &walk)
            } else if let camera = target?.index(of: .camera) {
                walk.table.addStep(instance.sid, to: .camera(camera), passage)
            } else if let light = target?.index(of: .light) {
                walk.table.addStep(instance.sid, to: .light(light), passage)
            } else if target?.kind == .geometry || target?.kind == .controller || !content.instancesNodes {
                walk.table.endings.insert(instance.sid)
            } else {
                walk.table.addStep(instance.sid, to: .nothing, passage)
            }
        }
        for child in rest { pass(child.value, nil, passage, on: &walk) }
    }

    /// Passes the children before one, which instances without a sid lead to, and takes them and that one off the rest.
    private mutating func passInstances(
        before child: Int, _ rest: inout ArraySlice<SceneIndex<Node>>, _ passage: Passage, on walk: inout SidWalk
    ) {
        guard !work.isSpent else { return }
        guard let at = rest.firstIndex(of: SceneIndex(child)) else {
            work.count(rest.count)
            return
        }
        for other in rest[..<at] { pass(other.value, nil, passage, on: &walk) }
        rest = rest[(at + 1)...]
    }

    /// Passes a node by way of an instance of it.
    private func pass(_ child: Int, _ instance: String?, _ passage: Passage, on walk: inout SidWalk) {
        let through = passage.then(places[child] > 1 ? .sharedInstance : .instance)
        walk.table.addStep(instance, to: .node(child), through)
        guard walk.pass(child, sid: document.nodes[child].sid, through), instance == nil else { return }
        walk.table.nameless.append((child, through))
    }
}

/// A walk breadth first from a node, which meets each node once.
private struct SidWalk {
    var table = SidTable()
    private var seen: Set<Int>
    private var queue: [(node: Int, passage: NodeSids.Passage)]
    private var passed = 0

    init(from root: Int) {
        seen = [root]
        queue = [(root, .nothing)]
    }

    mutating func next() -> (node: Int, passage: NodeSids.Passage)? {
        guard passed < queue.count else { return nil }
        passed += 1
        return queue[passed - 1]
    }

    /// - Returns: Whether the node was met for the first time.
    @discardableResult
    mutating func pass(_ node: Int, sid: String?, _ passage: NodeSids.Passage) -> Bool {
        guard seen.insert(node).inserted else { return false }
        table.addStep(sid, to: .node(node), passage)
        queue.append((node, passage))
        return true
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

/// Finds what has a sid below a node: breadth first, the node itself before all others.
///
/// Only within the node: ``NodeSids`` goes on through instances. All nodes stand in one table by sid and depth, in the document's order, so that no search walks through the nodes.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax".
struct SidSearch {
    /// A transform: its node, and its place among that one's transforms.
    typealias TransformPlace = (node: Int, place: Int)

    /// The elements of one sid.
    private struct Table<Value> {
        /// Those at one depth, in the document's order: the order of each one's node, and what it is.
        struct Level {
            let depth: Int
            var orders: [Int] = []
            var values: [Value] = []

            func firstIndex(notBefore order: Int) -> Int {
                var low = 0
                var high = orders.count
                while low < high {
                    let middle = low + (high - low) / 2
                    if orders[middle] < order { low = middle + 1 } else { high = middle }
                }
                return low
            }
        }
        /// By depth. Elements nest no deeper than the reader's budget.
        var levels: [Level] = []

        /// Adds one that is no less deep than all before it, and at the same depth behind them.
        mutating func add(_ value: Value, depth: Int, order: Int) {
            if levels.last?.depth != depth { levels.append(Level(depth: depth)) }
            levels[levels.count - 1].orders.append(order)
            levels[levels.count - 1].values.append(value)
        }

        /// The first of the least deep ones whose nodes are within `orders`.
        func first(in orders: Range<Int>, from depth: Int) -> Value? {
            for level in levels where level.depth >= depth {
                let index = level.firstIndex(notBefore: orders.lowerBound)
                guard index < level.orders.count, level.orders[index] < orders.upperBound else { continue }
                return level.values[index]
            }
            return nil
        }
    }

    /// In the order of a walk that meets parents before children, those of one subtree follow each other.
    private var orders: [Range<Int>]
    private var depths: [Int]
    private var nodes: [String: Table<Int>] = [:]
    private var transforms: [String: Table<TransformPlace>] = [:]
    /// By order, how many nodes before hold instances that addresses lead through.
    private var instancesBefore: [Int] = []

    init(_ document: ColladaDocument) {
        orders = Array(repeating: 0..<0, count: document.nodes.count)
        depths = Array(repeating: 0, count: document.nodes.count)
        number(document)
        countInstances(document)
        // By depth, and at one depth in the document's order.
        let sorted = document.nodes.indices.sorted {
            (depths[$0], orders[$0].lowerBound) < (depths[$1], orders[$1].lowerBound)
        }
        for index in sorted {
            let node = document.nodes[index]
            if let sid = node.sid {
                nodes[sid, default: Table()].add(index, depth: depths[index], order: orders[index].lowerBound)
            }
            for (place, sid) in node.transformSIDs.enumerated() {
                guard let sid else { continue }
                transforms[sid, default: Table()].add(
                    (index, place), depth: depths[index], order: orders[index].lowerBound)
            }
        }
    }

    /// The transform with a sid.
    func transform(_ sid: String, below root: Int) -> TransformPlace? {
        transforms[sid]?.first(in: orders[root], from: depths[root])
    }

    /// The node with a sid, `root` itself left out.
    func node(_ sid: String, below root: Int) -> Int? {
        nodes[sid]?.first(in: orders[root], from: depths[root] + 1)
    }

    /// Whether a node or one within it holds instances that addresses lead through, which are not searched here.
    func hasInstances(below root: Int) -> Bool {
        instancesBefore[orders[root].lowerBound] < instancesBefore[orders[root].upperBound]
    }

    private mutating func countInstances(_ document: ColladaDocument) {
        instancesBefore = Array(repeating: 0, count: document.nodes.count + 1)
        for index in document.nodes.indices where document.hasInstancesToPass(in: index) {
            instancesBefore[orders[index].lowerBound + 1] = 1
        }
        for place in document.nodes.indices { instancesBefore[place + 1] += instancesBefore[place] }
    }

    /// Gives each node its depth and its place in the order. The nodes that one instances stand elsewhere.
    private mutating func number(_ document: ColladaDocument) {
        var isInner = [Bool](repeating: false, count: document.nodes.count)
        let children = document.nodes.map(\.children)
        for child in children.joined() { isInner[child] = true }
        var order = 0
        var stack: [(node: Int, next: Int)] = []
        for root in isInner.indices where !isInner[root] {
            orders[root] = order..<order
            order += 1
            stack.append((root, 0))
            while let (node, next) = stack.last {
                guard next < children[node].count else {
                    orders[node] = orders[node].lowerBound..<order
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let child = children[node][next]
                depths[child] = stack.count
                orders[child] = order..<order
                order += 1
                stack.append((child, 0))
            }
        }
    }
}

extension ColladaDocument {
    /// Whether addresses lead through instances that a node holds itself: those of nodes, and with a sid also those of
    /// cameras and lights.
    fileprivate func hasInstancesToPass(in node: Int) -> Bool {
        let node = (given: nodes[node], sids: instanceSIDs[node] ?? [])
        return node.given.hasInstances
            || node.sids.contains { sid in
                switch node.given.contents[sid.content] {
                case .instanceCamera, .instanceLight, .instanceNode, .instance: true
                case .node, .instanceGeometry, .instanceController: false
                }
            }
    }
}
