import DaeScene

/// How a polygon's corners are laid on a plane so that its outer ring turns left.
///
/// A planar polygon just loses the axis that its normal follows most: no number is rounded, so that what is on one line
/// stays on it. Others are seen along their normal.
enum PolygonPlane {
    case axes(x: Int, y: Int)
    case frame(x: SIMD3<Double>, y: SIMD3<Double>)

    /// - Parameter ring: the places of the outer ring's corners in `points`.
    init(of points: [SIMD3<Double>], ring: Range<Int>, _ traits: inout Triangulation.Traits) {
        var low = points[ring.lowerBound]
        var high = low
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        let extents = high - low
        let extent = extents.dot(extents).squareRoot()
        let sum = PolygonCorners.normal(of: points[ring])
        let length = sum.dot(sum).squareRoot()
        guard length > 0x1p-48 * extent * extent else {
            // No plane is better than another; keep most of the extent.
            let least = (0..<3).reduce(2) { extents[$1] < extents[$0] ? $1 : $0 }
            self = .axes(x: (least + 1) % 3, y: (least + 2) % 3)
            return
        }
        let normal = sum / length
        var (below, above) = (Double.infinity, -Double.infinity)
        for point in points {
            let height = (point - points[ring.lowerBound]).dot(normal)
            (below, above) = (min(below, height), max(above, height))
        }
        let axis = (0..<3).reduce(0) { abs(normal[$1]) > abs(normal[$0]) ? $1 : $0 }
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3)
        if isThin(from: below, to: above, extent: extent, largest: max(low.largest, high.largest)) {
            self = normal[axis] > 0 ? .axes(x: x, y: y) : .axes(x: y, y: x)
            return
        }
        traits.insert(.nonPlanar)
        var side = SIMD3<Double>.zero
        side[x] = 1
        let first = side.cross(normal)
        let across = first / first.dot(first).squareRoot()
        self = .frame(x: across, y: normal.cross(across))
    }

    func flat(_ point: SIMD3<Double>) -> FlatPoint {
        switch self {
        case .axes(let x, let y): FlatPoint(point[x], point[y])
        case .frame(let x, let y): FlatPoint(point.dot(x), point.dot(y))
        }
    }
}

/// Whether heights over a plane are no more than a file's rounding and a modeller's carelessness.
@inline(__always)
func isThin(from below: Double, to above: Double, extent: Double, largest: Double) -> Bool {
    above - below <= 1e-4 * extent + 1e-6 * largest
}

/// A point of the plane that a polygon was laid on. Its numbers are finite, and nought or between 2^-400 and 2^201 in
/// size, so that products of two neither overflow nor lose their last bits: see ``orientation(_:_:_:)``.
struct FlatPoint: Equatable, Sendable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) {
        self.x = abs(x) < 0x1p-400 ? 0 : x
        self.y = abs(y) < 0x1p-400 ? 0 : y
    }

    /// Left to right, then bottom to top.
    func precedes(_ other: FlatPoint) -> Bool { x < other.x || (x == other.x && y < other.y) }
}

/// Positive where a, b, c turn left, negative where they turn right, nought where they are on one line: exactly so.
///
/// - Source: the idea of Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic": the rounded value where it
///   exceeds its error bound, else the sum of all products without rounding.
@inline(__always)
func orientation(_ a: FlatPoint, _ b: FlatPoint, _ c: FlatPoint) -> Double {
    let left = (a.x - c.x) * (b.y - c.y)
    let right = (a.y - c.y) * (b.x - c.x)
    let rounded = left - right
    if abs(rounded) >= 0x1.8000000000004p-52 * (abs(left) + abs(right)) { return rounded }
    return exactOrientation(a, b, c)
}

@inline(never)
private func exactOrientation(_ a: FlatPoint, _ b: FlatPoint, _ c: FlatPoint) -> Double {
    var sum = ExactSum()
    sum.add(a.x, times: b.y)
    sum.add(-a.y, times: b.x)
    sum.add(b.x, times: c.y)
    sum.add(-b.y, times: c.x)
    sum.add(c.x, times: a.y)
    sum.add(-c.y, times: a.x)
    return sum.leading
}

/// Six products at most, kept as doubles that do not overlap, from small to large: nothing is rounded away.
private struct ExactSum {
    private var parts = InlineArray<12, Double>(repeating: 0)
    private var count = 0

    /// The largest part; it alone decides the sign.
    var leading: Double { count == 0 ? 0 : parts[count - 1] }

    mutating func add(_ a: Double, times b: Double) {
        let product = a * b
        add((-product).addingProduct(a, b))
        add(product)
    }

    private mutating func add(_ value: Double) {
        var carried = value
        var kept = 0
        for place in 0..<count {
            let part = parts[place]
            let sum = carried + part
            let shown = sum - carried
            let lost = (carried - (sum - shown)) + (part - shown)
            if lost != 0 {
                parts[kept] = lost
                kept += 1
            }
            carried = sum
        }
        if carried != 0 {
            parts[kept] = carried
            kept += 1
        }
        count = kept
    }
}

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
