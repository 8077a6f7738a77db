// Small vector algebra of the flattener, on its own so that it does not lean on what it checks.

import Daedalus

extension SIMD3<Double> {
    func cross(_ other: Self) -> Self {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    func dot(_ other: Self) -> Double { (self * other).sum() }

    var length: Double { dot(self).squareRoot() }

    var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }

    /// Zero for a vector without length.
    var unit: Self { length > 0 ? self / length : .zero }
}

extension [SIMD3<Double>] {
    /// Of the first three points, counter-clockwise; zero for a triangle without area.
    var facetNormal: SIMD3<Double> {
        guard count >= 3 else { return .zero }
        return (self[1] - self[0]).cross(self[2] - self[0]).unit
    }
}

extension Matrix4 {
    /// From a scene's own units and axes to metres with y up.
    ///
    /// - Source: COLLADA 1.4.1 and 1.5.0, chapter 5, `up_axis`: the table of the right and inward axes.
    static func toMetersYUp(_ scene: Scene) -> Matrix4 {
        let scale = scene.metersPerUnit
        let turn: [Double] =
            switch scene.upAxis {
            // Right is −y, in is z.
            case .x: [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
            case .y: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
            // Right is x, in is −y.
            case .z: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1]
            }
        let scaled = turn.enumerated().map { $0.offset < 12 ? $0.element * scale : $0.element }
        return Matrix4(rows: scaled) ?? .identity
    }

    var origin: SIMD3<Double> { transform(point: .zero) }

    /// A direction moved by the matrix, with length 1.
    func direction(_ vector: SIMD3<Double>) -> SIMD3<Double> { (transform(point: vector) - origin).unit }

    /// For directions that stand upright on surfaces: the cofactors of the upper left part, which is its inverse
    /// transposed but for a factor. A matrix that mirrors turns facets about, and these with them.
    var normalMatrix: Matrix4 {
        func column(_ vector: SIMD4<Double>) -> SIMD3<Double> { SIMD3(vector.x, vector.y, vector.z) }
        let (x, y, z) = (column(columns.0), column(columns.1), column(columns.2))
        return Matrix4(
            columns: (SIMD4(y.cross(z), 0), SIMD4(z.cross(x), 0), SIMD4(x.cross(y), 0), SIMD4(0, 0, 0, 1)))
    }
}
