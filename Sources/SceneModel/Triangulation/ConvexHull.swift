/// How deep a ring bends inwards.
///
/// - Source: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions".
struct ConvexHull: Sendable {
    private var order: [Int32] = []
    private var chain: [Int32] = []
    private var isOnHull: [Bool] = []

    /// How far, at most, a corner of the outer ring lies from the side of the convex hull that closes its bay; 0 for a
    /// convex ring. The ring does not cross itself.
    mutating func depth(of polygon: FlatPolygon) -> Double {
        let ring = polygon.rings[0]
        mark(ring, polygon.points)
        guard let start = ring.first(where: { isOnHull[$0] }) else { return 0 }
        var deepest = 0.0
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
