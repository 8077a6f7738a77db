/// The plane on which a polygon is looked at. It hangs on nothing but the polygon's shape, not on how that is turned.
struct ProbePlane {
    let plane: PolygonPlane
    /// The diagonal of the box around all corners.
    let extent: Double
    /// Of all coordinates.
    let largest: Double
    /// From the corner lowest over the plane to the highest.
    let height: Double
    let isFlat: Bool  // a fact about the polygon

    /// `nil` where the outer ring is a line or a point.
    init?(of points: [SIMD3<Double>], ring: Range<Int>, reach: Double) {
        let origin = points[ring.lowerBound]
        var (low, high) = (origin, origin)
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        let box = high - low
        extent = box.dot(box).squareRoot()
        largest = max(low.largest, high.largest)
        let along = points[ring].reduce(SIMD3<Double>.zero) { far, point in
            let side = point - origin
            return side.dot(side) > far.dot(far) ? side : far
        }
        // Twice the area of the largest triangle upon that side.
        let across = points[ring].reduce(SIMD3<Double>.zero) { far, point in
            let normal = along.cross(point - origin)
            return normal.dot(normal) > far.dot(far) ? normal : far
        }
        let (length, area) = (along.dot(along).squareRoot(), across.dot(across).squareRoot())
        guard area > PolygonProbe.width * (extent + min(largest, reach)) * length else { return nil }
        // The sides' own normal is the best, but where they cross, areas may cancel out.
        let sum = PolygonCorners.normal(of: points[ring])
        let sumLength = sum.dot(sum).squareRoot()
        let isSound = sumLength > Self.leastShare * area && abs(sum.dot(along)) < 0.9 * sumLength * length
        let normal = isSound ? sum / sumLength : across / area
        var (below, above) = (0.0, 0.0)
        for point in points {
            let height = (point - origin).dot(normal)
            (below, above) = (min(below, height), max(above, height))
        }
        height = above - below
        isFlat = SceneModel.isFlat(from: below, to: above, extent: extent, largest: largest)
        let side = along - normal * along.dot(normal)
        let right = side / side.dot(side).squareRoot()
        plane = .frame(x: right, y: normal.cross(right))
    }

    /// Of the area of the largest triangle.
    private static let leastShare = 0.01
}
