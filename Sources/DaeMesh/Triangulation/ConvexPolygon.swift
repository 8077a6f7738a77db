import DaeScene

/// Triangles and polygons that are convex beyond doubt, straight from the positions: most of any mesh.
enum ConvexPolygon {
    /// - Returns: `nil`, with nothing written, where there is any doubt.
    @inline(__always)
    static func cut(
        _ corners: Span<Int32>, _ positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation? {
        switch corners.count {
        case 3: cutTriangle(corners, positions, into: &output)
        case 4: cutQuad(corners, positions, into: &output)
        default: cutFan(corners, positions, into: &output)  // numbers of corners
        }
    }

    private static func cutTriangle(
        _ corners: Span<Int32>, _ positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation? {
        guard let a = position(corners[0], positions), let b = position(corners[1], positions),
            let c = position(corners[2], positions), !isDegenerate(a, b, c)
        else { return nil }
        var done = Triangulation()
        done.triangles = 1
        append(0, 1, 2, to: &output)
        return done
    }

    /// By the shorter diagonal; by the one from the first corner unless the other is shorter by a millionth, so that
    /// rounding does not decide over rectangles.
    private static func cutQuad(
        _ corners: Span<Int32>, _ positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation? {
        guard let a = position(corners[0], positions), let b = position(corners[1], positions),
            let c = position(corners[2], positions), let d = position(corners[3], positions)
        else { return nil }
        let (ac, bd) = (c - a, d - b)
        let normal = ac.cross(bd)
        let length = normal.dot(normal).squareRoot()
        guard turns(d, a, b, normal, length), turns(a, b, c, normal, length), turns(b, c, d, normal, length),
            turns(c, d, a, normal, length)
        else { return nil }
        var done = Triangulation()
        done.triangles = 2
        let (first, second) = (ac.dot(ac), bd.dot(bd))
        let height = abs((b - a).dot(normal)) / length
        let largest = max(a.largest, b.largest, c.largest, d.largest)
        if !isThin(from: 0, to: height, extent: max(first, second).squareRoot(), largest: largest) {
            done.traits.insert(.nonPlanar)
        }
        if second < first * (1 - 2e-6) {
            append(0, 1, 3, to: &output)
            append(1, 2, 3, to: &output)
        } else {
            append(0, 1, 2, to: &output)
            append(0, 2, 3, to: &output)
        }
        return done
    }

    /// All triangles from the first corner.
    private static func cutFan(
        _ corners: Span<Int32>, _ positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation? {
        let count = corners.count
        guard let origin = position(corners[0], positions) else { return nil }
        var (normal, from) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
        var (low, high) = (origin, origin)
        for corner in 1..<count {
            guard let point = position(corners[corner], positions) else { return nil }
            let to = point - origin
            normal += from.cross(to)
            from = to
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        let length = normal.dot(normal).squareRoot()
        guard var before = position(corners[count - 2], positions), var here = position(corners[count - 1], positions)
        else { return nil }
        // Going round once, the sides head along any direction and back again once each.
        let along = here - origin
        var heading = 0.0
        var (changes, degenerate) = (0, 0)
        var (below, above) = (0.0, 0.0)
        for corner in 0..<count {
            guard let next = position(corners[corner], positions), turns(before, here, next, normal, length)
            else { return nil }
            let share = (next - here).dot(along)
            if share * heading < 0 { changes += 1 }
            if share != 0 { heading = share }
            if corner >= 2, isDegenerate(origin, here, next) { degenerate += 1 }
            let height = (next - origin).dot(normal) / length
            (below, above) = (min(below, height), max(above, height))
            (before, here) = (here, next)
        }
        guard changes <= 2 else { return nil }
        var done = Triangulation()
        done.triangles = count - 2
        done.degenerate = degenerate
        let extent = high - low
        if !isThin(
            from: below, to: above, extent: extent.dot(extent).squareRoot(), largest: max(low.largest, high.largest))
        {
            done.traits.insert(.nonPlanar)
        }
        for corner in 1..<count - 1 {
            append(0, Int32(truncatingIfNeeded: corner), Int32(truncatingIfNeeded: corner + 1), to: &output)
        }
        return done
    }

    /// Whether three corners turn as the normal says, and clearly so.
    @inline(__always)
    private static func turns(
        _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, _ normal: SIMD3<Double>, _ length: Double
    ) -> Bool {
        let (ab, bc, ac) = (b - a, c - b, c - a)
        let side = max(ab.dot(ab), bc.dot(bc), ac.dot(ac)).squareRoot()
        let reach = side + max(a.largest, b.largest, c.largest)
        return ab.cross(bc).dot(normal) > 0x1p-40 * side * reach * length
    }

    @inline(__always)
    private static func append(_ a: Int32, _ b: Int32, _ c: Int32, to output: inout [Int32]) {
        output.append(a)
        output.append(b)
        output.append(c)
    }
}

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
