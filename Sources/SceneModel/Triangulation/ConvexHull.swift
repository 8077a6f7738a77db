/// How deep a ring bends inwards.
///
/// - Source: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions".
struct ConvexHull: Sendable {
    private var order: [Int32] = []
    private var chain: [Int32] = []
    private var isOnHull: [Bool] = []

    /// How far, at most, a corner of the outer ring lies from the side of the convex hull that closes its bay, or a corner
    /// that bends inwards from the line between its neighbours; 0 for a convex ring. The ring does not cross itself.
    mutating func depth(of polygon: FlatPolygon) -> Double {
        let ring = polygon.rings[0]
        mark(ring, polygon.points)
        guard let start = ring.first(where: { isOnHull[$0] }) else { return 0 }
        var deepest = polygon.deepestCorner
        var from = start
        for step in 1...ring.count {
            let node = ring.lowerBound + (start - ring.lowerBound + step) % ring.count
            guard isOnHull[node] else { continue }
            deepest = max(deepest, depth(from: from, to: node, ring, polygon.points))
            from = node
        }
        return deepest
    }

    private func depth(from: Int, to: Int, _ ring: Range<Int>, _ points: [FlatPoint]) -> Double {
        let (a, b) = (points[from], points[to])
        let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
        guard length > 0 else { return 0 }
        var deepest = 0.0
        var node = from
        while true {
            node = node + 1 == ring.upperBound ? ring.lowerBound : node + 1
            if node == to { return deepest / length }
            deepest = max(deepest, abs(orientation(a, b, points[node])))
        }
    }

    private mutating func mark(_ ring: Range<Int>, _ points: [FlatPoint]) {
        isOnHull.removeAll(keepingCapacity: true)
        isOnHull.append(contentsOf: repeatElement(false, count: ring.upperBound))
        order.removeAll(keepingCapacity: true)
        order.append(contentsOf: ring.lazy.map { Int32(truncatingIfNeeded: $0) })
        order.sort { points[Int($0)].precedes(points[Int($1)]) }
        markChain(order, points)
        markChain(order.reversed(), points)
    }

    private mutating func markChain(_ order: some Sequence<Int32>, _ points: [FlatPoint]) {
        chain.removeAll(keepingCapacity: true)
        for node in order {
            while chain.count >= 2,
                orientation(
                    points[Int(chain[chain.count - 2])], points[Int(chain[chain.count - 1])], points[Int(node)]) <= 0
            {
                chain.removeLast()
            }
            chain.append(node)
        }
        for node in chain { isOnHull[Int(node)] = true }
    }
}

extension FlatPolygon {
    /// Of the corners that bend inwards, the distance from the line between their neighbours: a bay may reach to the
    /// other side of the hull, where its innermost corner is on the hull itself.
    fileprivate var deepestCorner: Double {
        var deepest = 0.0
        let ring = rings[0]
        let last = ring.upperBound - 1
        var here = points[last]
        var before = points[ring.last { points[$0] != here } ?? last]
        for node in ring where points[node] != here {
            let after = points[node]
            let turn = orientation(before, here, after)
            let length = ((after.x - before.x) * (after.x - before.x) + (after.y - before.y) * (after.y - before.y))
                .squareRoot()
            if turn < 0, length > 0 { deepest = max(deepest, -turn / length) }
            (before, here) = (here, after)
        }
        return deepest
    }
}
