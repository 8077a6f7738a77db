import DaeDiagnostics
import DaeScene

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
