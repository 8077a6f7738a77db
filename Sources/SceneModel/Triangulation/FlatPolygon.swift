/// A polygon on its plane as one or more closed chains of nodes: the outer ring turns left, holes turn right.
struct FlatPolygon: Sendable {
    private(set) var points: [FlatPoint] = []
    var next: [Int32] = []
    var previous: [Int32] = []
    /// The place of a node's corner among all corners; the two ends of a bridge are nodes twice.
    private(set) var corners: [Int32] = []
    /// The nodes of each ring, in the order they came; the first ring is the outer one.
    private(set) var rings: [Range<Int>] = []

    mutating func load(_ source: [SIMD3<Double>], rings: [Range<Int>], on plane: PolygonPlane) {
        self.rings = rings
        points.removeAll(keepingCapacity: true)
        next.removeAll(keepingCapacity: true)
        previous.removeAll(keepingCapacity: true)
        corners.removeAll(keepingCapacity: true)
        for (place, point) in source.enumerated() {
            points.append(plane.flat(point))
            corners.append(Int32(truncatingIfNeeded: place))
            next.append(Int32(truncatingIfNeeded: place + 1))
            previous.append(Int32(truncatingIfNeeded: place - 1))
        }
        for ring in rings {
            let (first, last) = (ring.lowerBound, ring.upperBound - 1)
            next[last] = Int32(truncatingIfNeeded: first)
            previous[first] = Int32(truncatingIfNeeded: last)
        }
        if turn(of: rings[0]) < 0 { mirror() }
        for hole in rings.dropFirst() where turn(of: hole) > 0 {
            for node in hole { swap(&next[node], &previous[node]) }
        }
    }

    private mutating func mirror() {
        for node in points.indices { points[node] = FlatPoint(points[node].y, points[node].x) }
    }

    /// The sign of the ring's area; where rounding hides it, how the ring turns at its leftmost corner.
    private func turn(of ring: Range<Int>) -> Double {
        let origin = points[ring.lowerBound]
        var (area, size) = (0.0, 0.0)
        var leftmost = ring.lowerBound
        for node in ring {
            let (from, to) = (points[node], points[Int(next[node])])
            let left = (from.x - origin.x) * (to.y - origin.y)
            let right = (from.y - origin.y) * (to.x - origin.x)
            area += left - right
            size += abs(left) + abs(right)
            if from.precedes(points[leftmost]) { leftmost = node }
        }
        if abs(area) > Double(ring.count + 4) * 0x1p-51 * size { return area }
        var (before, after) = (Int(previous[leftmost]), Int(next[leftmost]))
        while points[before] == points[leftmost], before != leftmost { before = Int(previous[before]) }
        while points[after] == points[leftmost], after != leftmost { after = Int(next[after]) }
        return orientation(points[before], points[leftmost], points[after])
    }

    /// Opens the chains of two nodes and closes them again as one, by a bridge there and back.
    /// - Returns: the second nodes at the ends, `near`'s and `far`'s.
    mutating func bridge(_ near: Int32, _ far: Int32) -> (near: Int32, far: Int32) {
        let nearTwin = copy(near)
        let farTwin = copy(far)
        let after = next[Int(near)]
        let before = previous[Int(far)]
        link(near, far)
        link(nearTwin, after)
        link(before, farTwin)
        link(farTwin, nearTwin)
        return (nearTwin, farTwin)
    }

    mutating func link(_ from: Int32, _ to: Int32) {
        next[Int(from)] = to
        previous[Int(to)] = from
    }

    private mutating func copy(_ node: Int32) -> Int32 {
        points.append(points[Int(node)])
        corners.append(corners[Int(node)])
        next.append(next[Int(node)])
        previous.append(previous[Int(node)])
        return Int32(truncatingIfNeeded: points.count - 1)
    }
}
