// Every mesh has some, so the numbers are kept one by one: vectors would take a third more, and an alignment that makes
// all that holds them larger.

/// A box along the axes, in the units and axes of whatever it bounds. Never empty.
public struct Bounds: Sendable, Equatable {
    private var low: Corner
    private var high: Corner

    private struct Corner: Equatable {
        let x, y, z: Double

        init(_ point: SIMD3<Double>) { (x, y, z) = (point.x, point.y, point.z) }

        var point: SIMD3<Double> { SIMD3(x, y, z) }
    }

    public init(min: SIMD3<Double>, max: SIMD3<Double>) {
        low = Corner(min)
        high = Corner(max)
    }

    public var min: SIMD3<Double> {
        get { low.point }
        set { low = Corner(newValue) }
    }

    public var max: SIMD3<Double> {
        get { high.point }
        set { high = Corner(newValue) }
    }

    public init(_ point: SIMD3<Double>) {
        self.init(min: point, max: point)
    }

    public var size: SIMD3<Double> { max - min }

    public mutating func formUnion(_ other: Bounds) {
        min = pointwiseMin(min, other.min)
        max = pointwiseMax(max, other.max)
    }

    public mutating func formUnion(_ point: SIMD3<Double>) {
        formUnion(Bounds(point))
    }

    /// The box around the moved corners: exact for a matrix that keeps boxes, else at least as large as what is in it.
    public func transformed(by matrix: Matrix4) -> Bounds {
        var result: Bounds?
        for corner in 0..<8 {
            let point = matrix.transform(
                point: SIMD3(
                    corner & 1 == 0 ? min.x : max.x, corner & 2 == 0 ? min.y : max.y,
                    corner & 4 == 0 ? min.z : max.z))
            result = result.map { $0.union(point) } ?? Bounds(point)
        }
        return result ?? self
    }

    private func union(_ point: SIMD3<Double>) -> Bounds {
        var copy = self
        copy.formUnion(point)
        return copy
    }
}
