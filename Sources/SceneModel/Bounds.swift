/// A box along the axes, in the units and axes of whatever it bounds. Never empty.
public struct Bounds: Sendable, Equatable {
    public var min: SIMD3<Double>
    public var max: SIMD3<Double>

    public init(min: SIMD3<Double>, max: SIMD3<Double>) {
        self.min = min
        self.max = max
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
