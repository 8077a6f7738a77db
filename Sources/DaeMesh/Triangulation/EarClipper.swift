/// Cuts a closed chain of nodes into triangles, one corner after the other.
///
/// Each node left is in one of these: the queue of corners to look at; the watchers of a node that stands in their ear,
/// who wait until it is gone or bends outwards; or the list of those that cannot be an ear as they are. So no corner is
/// looked at twice for the same reason, and when the queue is empty no ear is left: for a simple polygon that is never.
struct EarClipper: Sendable {
    private enum Shape: UInt8, Sendable {
        case convex, reflex
        /// On the line between its neighbours.
        case flat
        /// On one line with its neighbours, which lie on the same side.
        case spike
        /// At the place of a neighbour, or grown narrow until its sides fold onto each other: nothing is in it.
        case empty
        case clipped
    }

    private var shapes: [Shape] = []
    /// Circular lists: a node is linked under its own number, its watchers' list is headed by number + nodes.
    private var after: [Int32] = []
    private var before: [Int32] = []
    private var nodes = 0
    /// Whether a watcher lies at the same place as what it watches.
    private var isWatchedFromItsPlace: [Bool] = []
    /// Whom to cut when no ear is left: corners that were no ears, some of them cut since.
    private var refused: [Int32] = []
    private var blockers = BoxTree()

    private enum List: Int { case ears, empties, spikes, flats, reflexes }
    private enum Search { case all, tree }
    private var search = Search.all

    /// Three nodes a triangle.
    private(set) var triangles: [(Int32, Int32, Int32)] = []

    /// - Parameter start: any node of the chain of `count` nodes, at least 3.
    mutating func clip(
        _ polygon: inout FlatPolygon, from start: Int32, count: Int, _ budget: inout WorkBudget
    ) -> Triangulation.Traits {
        prepare(polygon)
        var traits: Triangulation.Traits = []
        var left = count
        var last = start
        // Double corners go first, so that each place has one node to stand in the way of others.
        var node = start
        for _ in 0..<count {
            reshape(node, polygon)
            node = polygon.next[Int(node)]
        }
        while left > 3, let node = pop(.empties) {
            last = cut(node, &polygon)
            left -= 1
        }
        arrangeBlockers(polygon, from: last, count: left)
        while left > 3 {
            guard let node = nextNode(polygon, &budget, &traits) else { break }
            last = cut(node, &polygon)
            left -= 1
        }
        let (middle, end) = (polygon.next[Int(last)], polygon.previous[Int(last)])
        if orientation(polygon.points[Int(last)], polygon.points[Int(middle)], polygon.points[Int(end)]) < 0 {
            traits.insert(.selfIntersecting)
        }
        triangles.append((last, middle, end))
        return traits
    }

    private mutating func prepare(_ polygon: FlatPolygon) {
        nodes = polygon.points.count
        shapes.removeAll(keepingCapacity: true)
        shapes.append(contentsOf: repeatElement(.clipped, count: nodes))
        isWatchedFromItsPlace.removeAll(keepingCapacity: true)
        isWatchedFromItsPlace.append(contentsOf: repeatElement(false, count: nodes))
        refused.removeAll(keepingCapacity: true)
        triangles.removeAll(keepingCapacity: true)
        after.removeAll(keepingCapacity: true)
        for place in 0..<2 * nodes + 5 { after.append(Int32(truncatingIfNeeded: place)) }
        before.removeAll(keepingCapacity: true)
        before.append(contentsOf: after)
        search = .all
    }

    private mutating func arrangeBlockers(_ polygon: FlatPolygon, from start: Int32, count: Int) {
        if count > FlatPolygon.treeThreshold {
            search = .tree
            blockers.clear(limit: nodes)
        }
        var node = start
        for _ in 0..<count {
            switch shapes[Int(node)] {
            case .convex, .clipped, .empty: break
            case .reflex, .flat, .spike:
                let point = polygon.points[Int(node)]
                if search == .tree { blockers.stage(node, BoxTree.Box(around: point, point)) }
            }
            node = polygon.next[Int(node)]
        }
        if search == .tree { blockers.build() }
    }

    /// The next corner to cut: an ear, else what does least harm.
    private mutating func nextNode(
        _ polygon: FlatPolygon, _ budget: inout WorkBudget, _ traits: inout Triangulation.Traits
    ) -> Int32? {
        while true {
            if let node = pop(.empties) { return node }
            guard let node = pop(.ears) else { break }
            if budget.isSpent {
                traits.insert(.cutShort)
                return node
            }
            guard let blocker = blocker(of: node, polygon, &budget) else { return node }
            append(node, to: nodes + Int(blocker))
            refused.append(node)
            if polygon.points[Int(node)] == polygon.points[Int(blocker)] {
                isWatchedFromItsPlace[Int(blocker)] = true
            }
        }
        if let node = pop(.spikes) ?? pop(.flats) { return node }
        traits.insert(.selfIntersecting)
        while let node = refused.popLast() {
            if shapes[Int(node)] == .convex { return node }
        }
        return pop(.reflexes)
    }

    /// - Returns: A neighbour of the node that is gone.
    private mutating func cut(_ node: Int32, _ polygon: inout FlatPolygon) -> Int32 {
        let (from, to) = (polygon.previous[Int(node)], polygon.next[Int(node)])
        triangles.append((from, node, to))
        polygon.link(from, to)
        unlink(Int(node))
        leave(node, as: .clipped)
        // The queue is long: its end keeps neighbours from being cut in a row, which would make a fan of slivers.
        reshape(to, polygon)
        reshape(from, polygon)
        return from
    }
}

// MARK: - Shapes

extension EarClipper {
    private static func shape(_ node: Int32, _ polygon: FlatPolygon) -> Shape {
        let from = polygon.points[Int(polygon.previous[Int(node)])]
        let here = polygon.points[Int(node)]
        let to = polygon.points[Int(polygon.next[Int(node)])]
        if here == from || here == to { return .empty }
        let turn = orientation(from, here, to)
        if turn > 0 { return .convex }
        if turn < 0 { return .reflex }
        let isSameSide = here.x == from.x ? (from.y < here.y) == (to.y < here.y) : (from.x < here.x) == (to.x < here.x)
        return isSameSide ? .spike : .flat
    }

    /// Looks at a node anew after its neighbours changed.
    private mutating func reshape(_ node: Int32, _ polygon: FlatPolygon) {
        unlink(Int(node))
        var shape = Self.shape(node, polygon)
        // Other spikes may be the inner end of a slit, which has its inside all round.
        if shape == .spike, shapes[Int(node)] == .convex { shape = .empty }
        let list: List =
            switch shape {
            case .convex, .clipped: .ears
            case .empty: .empties
            case .spike: .spikes
            case .flat: .flats
            case .reflex: .reflexes
            }
        append(node, to: head(list))
        leave(node, as: shape)
    }

    /// Takes the new shape, and wakes the watchers where the node no longer stands in their way.
    private mutating func leave(_ node: Int32, as shape: Shape) {
        let old = shapes[Int(node)]
        shapes[Int(node)] = shape
        switch shape {
        case .convex, .clipped:
            wakeWatchers(of: node)
            if search == .tree, old != .convex { blockers.set(node, .empty) }
        case .reflex, .flat, .spike, .empty:
            // Whether it stands in the way of a corner at its own place hangs on its neighbours.
            if isWatchedFromItsPlace[Int(node)] { wakeWatchers(of: node) }
        }
    }

    /// A node within or on the ear at a corner, other than at the ends of its cut.
    private func blocker(of node: Int32, _ polygon: FlatPolygon, _ budget: inout WorkBudget) -> Int32? {
        let (from, to) = (polygon.previous[Int(node)], polygon.next[Int(node)])
        let ear = Ear(
            from: polygon.points[Int(from)], tip: polygon.points[Int(node)], to: polygon.points[Int(to)])
        switch search {
        case .all:
            var other = polygon.next[Int(to)]
            while other != from {
                budget.spend(1)
                if shapes[Int(other)] != .convex, ear.isBlocked(by: other, polygon) { return other }
                other = polygon.next[Int(other)]
            }
            return nil
        case .tree:
            var walk = BoxTree.Walk(BoxTree.Window(ear.from, ear.tip, ear.to))
            defer { budget.spend(walk.steps) }
            while let other = blockers.next(&walk) {
                if other != from, other != to, ear.isBlocked(by: other, polygon) { return other }
            }
            return nil
        }
    }

    private struct Ear {
        let from: FlatPoint
        let tip: FlatPoint
        let to: FlatPoint

        func isBlocked(by node: Int32, _ polygon: FlatPolygon) -> Bool {
            let point = polygon.points[Int(node)]
            if point == from || point == to { return false }
            if point == tip {
                return opens(towards: polygon.points[Int(polygon.previous[Int(node)])])
                    || opens(towards: polygon.points[Int(polygon.next[Int(node)])])
            }
            return orientation(from, tip, point) >= 0 && orientation(tip, to, point) >= 0
                && orientation(to, from, point) >= 0
        }

        private func opens(towards point: FlatPoint) -> Bool {
            orientation(from, tip, point) > 0 && orientation(tip, to, point) > 0
        }
    }
}

// MARK: - Lists

extension EarClipper {
    private func head(_ list: List) -> Int { 2 * nodes + list.rawValue }

    private mutating func append(_ node: Int32, to head: Int) {
        let last = before[head]
        after[Int(last)] = node
        before[Int(node)] = last
        after[Int(node)] = Int32(truncatingIfNeeded: head)
        before[head] = node
    }

    private mutating func unlink(_ place: Int) {
        let (left, right) = (before[place], after[place])
        after[Int(left)] = right
        before[Int(right)] = left
        after[place] = Int32(truncatingIfNeeded: place)
        before[place] = after[place]
    }

    private mutating func pop(_ list: List) -> Int32? {
        let head = head(list)
        let first = after[head]
        guard Int(first) != head else { return nil }
        unlink(Int(first))
        return first
    }

    /// Puts all watchers of a node back at the end of the queue, in their order.
    private mutating func wakeWatchers(of node: Int32) {
        isWatchedFromItsPlace[Int(node)] = false
        let watchers = nodes + Int(node)
        let (first, last) = (after[watchers], before[watchers])
        guard Int(first) != watchers else { return }
        let queue = head(.ears)
        let end = before[queue]
        after[Int(end)] = first
        before[Int(first)] = end
        after[Int(last)] = Int32(truncatingIfNeeded: queue)
        before[queue] = last
        after[watchers] = Int32(truncatingIfNeeded: watchers)
        before[watchers] = after[watchers]
    }
}

/// What of a polygon's sides crosses beyond what rounding does.
struct ClearCrossings: OptionSet {
    let rawValue: UInt8

    static let withinOuterRing = ClearCrossings(rawValue: 1)
    /// A hole's side crosses another one, of whatever ring.
    static let withHole = ClearCrossings(rawValue: 2)
    static let all: ClearCrossings = [.withinOuterRing, .withHole]
}

extension FlatPolygon {
    /// - Parameters:
    ///   - tree: Of all sides; see ``arrangeSides(in:)``.
    ///   - depth: How far the ends of each side lie from the other one, at least.
    func crossings(_ tree: BoxTree, depth: Double, _ budget: inout WorkBudget) -> ClearCrossings {
        var found: ClearCrossings = []
        let outer = rings[0]
        for node in points.indices {
            let end = points[Int(next[node])]
            // A triangle without an area: only boxes on its line are met.
            var walk = BoxTree.Walk(BoxTree.Window(points[node], end, end))
            while let other = tree.next(&walk) {
                let kind: ClearCrossings =
                    outer.contains(node) && outer.contains(Int(other)) ? .withinOuterRing : .withHole
                guard Int(other) > node, !found.contains(kind), crosses(node, Int(other), depth) else { continue }
                found.insert(kind)
            }
            budget.spend(walk.steps)
            if budget.isSpent || found == .all { break }
        }
        return found
    }

    private func crosses(_ first: Int, _ second: Int, _ depth: Double) -> Bool {
        let (a, b) = (points[first], points[Int(next[first])])
        let (c, d) = (points[second], points[Int(next[second])])
        return parts(c, d, by: a, b, depth) && parts(a, b, by: c, d, depth)
    }

    /// Whether two points lie on either side of a line, each further from it than `depth`.
    private func parts(_ c: FlatPoint, _ d: FlatPoint, by a: FlatPoint, _ b: FlatPoint, _ depth: Double) -> Bool {
        let (ofC, ofD) = (orientation(a, b, c), orientation(a, b, d))
        guard (ofC < 0 && ofD > 0) || (ofC > 0 && ofD < 0) else { return false }
        let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
        return min(abs(ofC), abs(ofD)) > depth * length
    }
}
