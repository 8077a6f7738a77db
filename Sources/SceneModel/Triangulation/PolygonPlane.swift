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
        if isFlat(from: below, to: above, extent: extent, largest: max(low.largest, high.largest)) {
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
func isFlat(from below: Double, to above: Double, extent: Double, largest: Double) -> Bool {
    above - below <= 1e-4 * extent + 1e-6 * largest
}
