/// Joins each hole to what is left of it, so that one closed chain of nodes remains.
///
/// Holes go from left to right. A ray to the left from a hole's leftmost corner meets a side of the outer ring, of a hole
/// that is joined already, or a bridge; the corner seen from there is the end of that side, or what stands before it.
///
/// - Source: Held 2001, "FIST"; Eberly, "Triangulation by Ear Clipping".
struct HoleBridges: Sendable {
    private var bridges = BoxTree()
    /// By hole, from left to right: the nodes that its bridge joins.
    private var ends: [(near: Int32, far: Int32)] = []
    /// By node of the rings: the node its side led to before there were bridges.
    private var sideEnds: [Int32] = []
    /// By node of the rings: the hole it belongs to, 0 for the outer ring.
    private var ringOf: [Int32] = []
    private var isJoined: [Bool] = []
    /// By node: the next node at the same corner, in a circle.
    private var twins: [Int32] = []
    private var order: [(hole: Int, leftmost: Int32)] = []

    /// - Parameter sides: the tree of all sides; see ``FlatPolygon/arrangeSides(in:)``.
    mutating func join(
        _ polygon: inout FlatPolygon, _ sides: BoxTree, _ budget: inout WorkBudget
    ) -> Triangulation.Traits {
        prepare(polygon)
        var traits: Triangulation.Traits = []
        for (place, entry) in order.enumerated() {
            let near: Int32
            if budget.isSpent {
                traits.insert(.cutShort)
                near = 0
            } else if let found = visibleNode(from: entry.leftmost, polygon, sides, &budget) {
                near = found.node
                if found.side == .outside { traits.insert(.holeOutside) }
            } else {
                traits.insert(.holeOutside)
                near = 0
            }
            join(entry.leftmost, to: near, &polygon, bridge: Int32(truncatingIfNeeded: place))
            isJoined[entry.hole] = true
        }
        return traits
    }

    private mutating func prepare(_ polygon: FlatPolygon) {
        sideEnds = polygon.next
        twins = polygon.points.indices.map { Int32(truncatingIfNeeded: $0) }
        ringOf = polygon.rings.enumerated().flatMap { number, ring in
            repeatElement(Int32(truncatingIfNeeded: number), count: ring.count)
        }
        isJoined = [Bool](repeating: false, count: polygon.rings.count)
        isJoined[0] = true
        order.removeAll(keepingCapacity: true)
        for (number, ring) in polygon.rings.enumerated().dropFirst() {
            let leftmost = ring.reduce(ring.lowerBound) {
                polygon.points[$1].precedes(polygon.points[$0]) ? $1 : $0
            }
            order.append((number, Int32(truncatingIfNeeded: leftmost)))
        }
        order.sort { left, right in
            let (a, b) = (polygon.points[Int(left.leftmost)], polygon.points[Int(right.leftmost)])
            return a.precedes(b) || (a == b && left.hole < right.hole)
        }
        bridges.clear(limit: order.count)
        ends.removeAll(keepingCapacity: true)
        for (place, entry) in order.enumerated() {
            let point = polygon.points[Int(entry.leftmost)]
            bridges.stage(Int32(truncatingIfNeeded: place), BoxTree.Box(around: point, point))
            ends.append((entry.leftmost, entry.leftmost))
        }
        bridges.build()
        for place in order.indices { bridges.set(Int32(truncatingIfNeeded: place), .empty) }
    }

    private mutating func join(_ far: Int32, to near: Int32, _ polygon: inout FlatPolygon, bridge: Int32) {
        let (from, to) = (polygon.points[Int(near)], polygon.points[Int(far)])
        let twin = polygon.bridge(near, far)
        for (node, copy) in [(near, twin.near), (far, twin.far)] {
            twins.append(twins[Int(node)])
            twins[Int(node)] = copy
        }
        ends[Int(bridge)] = (near, far)
        bridges.set(bridge, BoxTree.Box(around: from, to))
    }
}

// MARK: - What a hole sees

extension HoleBridges {
    private enum Side { case inside, outside }

    /// The side that a ray met first.
    private struct Hit {
        var x: Double
        var from: FlatPoint
        var to: FlatPoint
        var side: Side
        /// A node at one end, for when nothing better is found.
        var node: Int32
    }

    private func visibleNode(
        from hole: Int32, _ polygon: FlatPolygon, _ sides: BoxTree, _ budget: inout WorkBudget
    ) -> (node: Int32, side: Side)? {
        let eye = polygon.points[Int(hole)]
        guard let hit = nearestSide(from: eye, polygon, sides, &budget) else { return nil }
        var best = hit.from.x < hit.to.x ? hit.from : hit.to
        var walk = BoxTree.Walk(BoxTree.Window(BoxTree.Box(around: eye, best)))
        walk.window.box.formUnion(BoxTree.Box(around: FlatPoint(hit.x, eye.y), eye))
        let isAbove = best.y > eye.y
        // All corners between the ray, the side and the line to its end: the one nearest to the ray is seen.
        while let item = sides.next(&walk) {
            let node = Int(item)
            guard isJoined[Int(ringOf[node])] else { continue }
            let point = polygon.points[node]
            guard point.x <= eye.x, isAbove ? point.y >= eye.y : point.y <= eye.y else { continue }
            guard orientation(hit.from, hit.to, point) * (hit.side == .inside ? 1 : -1) >= 0 else { continue }
            let turn = orientation(eye, best, point) * (isAbove ? 1 : -1)
            guard turn >= 0 else { continue }
            if turn > 0 || distance(point, eye) < distance(best, eye) { best = point }
        }
        budget.spend(walk.steps)
        let found = node(at: best, towards: hole, polygon, sides, &budget)
        // A hole that touches a corner may lie on its other side.
        return (found?.node ?? hit.node, best == eye ? found?.side ?? hit.side : hit.side)
    }

    private func distance(_ a: FlatPoint, _ b: FlatPoint) -> Double { abs(a.x - b.x) + abs(a.y - b.y) }

    private func nearestSide(
        from eye: FlatPoint, _ polygon: FlatPolygon, _ sides: BoxTree, _ budget: inout WorkBudget
    ) -> Hit? {
        var best: Hit?
        let ray = BoxTree.Box(low: FlatPoint(-.infinity, eye.y), high: eye)
        var walk = BoxTree.Walk(BoxTree.Window(ray))
        while let item = sides.next(&walk) {
            guard isJoined[Int(ringOf[Int(item)])] else { continue }
            if let hit = meet(eye, item, sideEnds[Int(item)], polygon), hit.x >= best?.x ?? -.infinity {
                if hit.x == best?.x, hit.side == .outside { continue }
                best = hit
                walk.window.box.low.x = hit.x
            }
        }
        budget.spend(walk.steps)
        walk = BoxTree.Walk(walk.window)
        while let bridge = bridges.next(&walk) {
            let (near, far) = ends[Int(bridge)]
            // There is inside on both sides of a bridge.
            let falls = polygon.points[Int(near)].y > polygon.points[Int(far)].y
            if let hit = meet(eye, falls ? near : far, falls ? far : near, polygon), hit.x >= best?.x ?? -.infinity {
                best = hit
                walk.window.box.low.x = hit.x
            }
        }
        budget.spend(walk.steps)
        return best
    }

    /// Where the ray to the left meets a side; its lower end belongs to it, its upper does not. A side that the eye lies
    /// on is met at the eye.
    private func meet(_ eye: FlatPoint, _ start: Int32, _ end: Int32, _ polygon: FlatPolygon) -> Hit? {
        let (from, to) = (polygon.points[Int(start)], polygon.points[Int(end)])
        let falls = from.y > to.y
        let (low, high) = falls ? (to, from) : (from, to)
        let turn = orientation(low, high, eye)
        if turn == 0, BoxTree.Box(around: low, high).meets(BoxTree.Box(around: eye, eye)) {
            return Hit(x: eye.x, from: from, to: to, side: .inside, node: start)
        }
        guard low.y <= eye.y, eye.y < high.y, turn < 0 else { return nil }
        let share = (eye.y - low.y) / (high.y - low.y)
        let x = min(max(low.x + (high.x - low.x) * share, min(low.x, high.x)), max(low.x, high.x), eye.x)
        return Hit(x: x, from: from, to: to, side: falls ? .inside : .outside, node: start)
    }

    /// Of the nodes at a point, the one from whose inner angle the hole is seen.
    private func node(
        at point: FlatPoint, towards hole: Int32, _ polygon: FlatPolygon, _ sides: BoxTree,
        _ budget: inout WorkBudget
    ) -> (node: Int32, side: Side)? {
        var target = hole
        if polygon.points[Int(hole)] == point {
            // A hole that touches: look where its first side leads.
            target = polygon.next[Int(hole)]
            while target != hole, polygon.points[Int(target)] == point { target = polygon.next[Int(target)] }
        }
        var any: (Int32, Side)?
        var walk = BoxTree.Walk(BoxTree.Window(BoxTree.Box(around: point, point)))
        defer { budget.spend(walk.steps) }
        while let item = sides.next(&walk) {
            guard isJoined[Int(ringOf[Int(item)])], polygon.points[Int(item)] == point else { continue }
            var node = item
            repeat {
                budget.spend(1)
                if polygon.opens(node, towards: polygon.points[Int(target)]) { return (node, .inside) }
                any = (node, .outside)
                node = twins[Int(node)]
            } while node != item && !budget.isSpent
        }
        return any
    }
}

extension FlatPolygon {
    /// Whether a node's inner angle holds the direction to a point.
    fileprivate func opens(_ node: Int32, towards target: FlatPoint) -> Bool {
        let here = points[Int(node)]
        var (before, after) = (previous[Int(node)], next[Int(node)])
        // A few corners at one place do not hide where the chain comes from and goes to.
        for _ in 0..<8 where points[Int(before)] == here { before = previous[Int(before)] }
        for _ in 0..<8 where points[Int(after)] == here { after = next[Int(after)] }
        let (from, to) = (points[Int(before)], points[Int(after)])
        let isLeftOfFirst = orientation(from, here, target) > 0
        let isLeftOfSecond = orientation(here, to, target) > 0
        return orientation(from, here, to) >= 0
            ? isLeftOfFirst && isLeftOfSecond : isLeftOfFirst || isLeftOfSecond
    }
}

extension FlatPolygon {
    /// Whether a hole begins outside the outer ring or within another hole, has no area, or the holes leave none over.
    /// What only touches is sound.
    ///
    /// - Parameter tree: Of all sides; see ``arrangeSides(in:)``.
    func hasOddHole(_ tree: BoxTree, depth: Double, _ budget: inout WorkBudget) -> Bool {
        guard rings.count > 1 else { return false }
        var left = abs(measure(rings[0]).area) * (1 - PolygonProbe.rounding)
        for hole in rings.indices.dropFirst() {
            let size = measure(rings[hole])
            left -= abs(size.area)
            if left <= 0 || abs(size.area) <= depth * size.length { return true }
        }
        for hole in rings.indices.dropFirst() {
            if budget.isSpent { return false }
            if isStray(hole, tree, depth, &budget) { return true }
        }
        return false
    }

    private func measure(_ ring: Range<Int>) -> (area: Double, length: Double) {
        let origin = points[ring.lowerBound]
        var (area, length) = (0.0, 0.0)
        for node in ring {
            let (from, to) = (points[node], points[Int(next[node])])
            area += (from.x - origin.x) * (to.y - origin.y) - (from.y - origin.y) * (to.x - origin.x)
            length += ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
        }
        return (area / 2, length)
    }

    /// By the rings that a ray to the left from within the hole leaves an odd number of times.
    private func isStray(_ hole: Int, _ tree: BoxTree, _ depth: Double, _ budget: inout WorkBudget) -> Bool {
        let eye = inside(rings[hole])
        var around: Set<Int> = []
        var walk = BoxTree.Walk(
            BoxTree.Window(BoxTree.Box(low: FlatPoint(-.infinity, eye.y), high: FlatPoint(eye.x + depth, eye.y))))
        defer { budget.spend(walk.steps) }
        while let node = tree.next(&walk) {
            let ring = ring(of: Int(node))
            let (from, to) = (points[Int(node)], points[Int(next[Int(node)])])
            let (low, high) = from.y < to.y ? (from, to) : (to, from)
            guard ring != hole, low.y <= eye.y, eye.y < high.y else { continue }
            let x = low.x + (high.x - low.x) * ((eye.y - low.y) / (high.y - low.y))
            if abs(x - eye.x) <= depth { return false }
            guard x < eye.x else { continue }
            if around.remove(ring) == nil { around.insert(ring) }
        }
        return around != [0]
    }

    /// A little inwards from the leftmost corner, where every ring bends outwards.
    private func inside(_ ring: Range<Int>) -> FlatPoint {
        let leftmost = ring.reduce(ring.lowerBound) { points[$1].precedes(points[$0]) ? $1 : $0 }
        let (before, here) = (points[Int(previous[leftmost])], points[leftmost])
        let after = points[Int(next[leftmost])]
        let share = 0.01
        return FlatPoint(
            here.x + share * ((before.x - here.x) + (after.x - here.x)) / 2,
            here.y + share * ((before.y - here.y) + (after.y - here.y)) / 2)
    }

    private func ring(of node: Int) -> Int {
        var (low, high) = (0, rings.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if node < rings[middle].upperBound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension FlatPolygon {
    /// Corners from which a tree is cheaper than looking at all.
    static let treeThreshold = 80

    /// Whether the outer ring turns right anywhere; corners at one place count as one.
    var outerRingIsConcave: Bool {
        let last = rings[0].upperBound - 1
        var here = points[last]
        var before = points[rings[0].last { points[$0] != here } ?? last]
        for node in rings[0] where points[node] != here {
            if orientation(before, here, points[node]) < 0 { return true }
            (before, here) = (here, points[node])
        }
        return false
    }

    /// Puts each side into the tree, under the number of the node it starts at.
    func arrangeSides(in tree: inout BoxTree) {
        tree.clear(limit: points.count)
        for node in points.indices {
            tree.stage(Int32(truncatingIfNeeded: node), BoxTree.Box(around: points[node], points[Int(next[node])]))
        }
        tree.build()
    }

    /// Whether two sides cross, each within the other; sides that only touch do not.
    func hasCrossing(_ tree: BoxTree, _ budget: inout WorkBudget) -> Bool {
        for node in points.indices {
            let end = points[Int(next[node])]
            // A triangle without an area: only boxes on its line are met.
            var walk = BoxTree.Walk(BoxTree.Window(points[node], end, end))
            while let other = tree.next(&walk) {
                if Int(other) > node, crosses(node, Int(other)) { return true }
            }
            budget.spend(walk.steps)
            if budget.isSpent { return false }
        }
        return false
    }

    /// The same by looking at each pair.
    func hasCrossing(_ budget: inout WorkBudget) -> Bool {
        for node in points.indices {
            let box = BoxTree.Box(around: points[node], points[Int(next[node])])
            for other in points.indices.dropFirst(node + 1) {
                let near = BoxTree.Box(around: points[other], points[Int(next[other])])
                if box.meets(near), crosses(node, other) { return true }
            }
        }
        budget.spend(points.count * points.count / 2)
        return false
    }

    private func crosses(_ first: Int, _ second: Int) -> Bool {
        let (a, b) = (points[first], points[Int(next[first])])
        let (c, d) = (points[second], points[Int(next[second])])
        let (ofC, ofD) = (orientation(a, b, c), orientation(a, b, d))
        guard (ofC < 0 && ofD > 0) || (ofC > 0 && ofD < 0) else { return false }
        let (ofA, ofB) = (orientation(c, d, a), orientation(c, d, b))
        return (ofA < 0 && ofB > 0) || (ofA > 0 && ofB < 0)
    }
}
