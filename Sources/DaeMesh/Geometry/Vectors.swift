package import DaeScene

extension SIMD3<Double> {
    @inline(__always)
    var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }

    /// Its length; of very long and very short ones too.
    package var size: Double {
        let largest = largest
        guard largest > 0, largest.isFinite else { return largest }
        let near = self / largest
        return near.dot(near).squareRoot() * largest
    }

    /// `nil` without a direction.
    var unit: SIMD3<Double>? {
        let square = dot(self)
        // Nothing in it was lost nor ran over, as with nearly all.
        if square > 1e-200, square < 1e200 { return self / square.squareRoot() }
        let largest = largest
        guard largest > 0, largest.isFinite else { return nil }
        let near = self / largest
        return near / near.dot(near).squareRoot()
    }
}

extension SIMD4<Double> {
    var spatial: SIMD3<Double> { SIMD3(x, y, z) }
}

extension Matrix4 {
    init(translation: SIMD3<Double>) {
        self = .identity
        columns.3 = SIMD4(translation, 1)
    }

    var withoutTranslation: Matrix4 {
        Matrix4(columns: (columns.0, columns.1, columns.2, [0, 0, 0, 1]))
    }

    /// With a last row of 0 0 0 1; the identity where a number is none.
    package var settled: Matrix4 {
        let (x, y, z, origin) = (columns.0.spatial, columns.1.spatial, columns.2.spatial, columns.3.spatial)
        guard x.isFinite, y.isFinite, z.isFinite, origin.isFinite else { return .identity }
        return Matrix4(columns: (SIMD4(x, 0), SIMD4(y, 0), SIMD4(z, 0), SIMD4(origin, 1)))
    }

    /// Whether it turns left to right.
    var isMirroring: Bool { columns.0.spatial.cross(columns.1.spatial).dot(columns.2.spatial) < 0 }

    /// Moves directions that stand upright on a surface as the matrix moves the surface; up to their length.
    var normalMatrix: Matrix4 {
        let (x, y, z) = (columns.0.spatial, columns.1.spatial, columns.2.spatial)
        let side = x.cross(y)
        let sign: Double = side.dot(z) < 0 ? -1 : 1
        return Matrix4(
            columns: (
                SIMD4(y.cross(z) * sign, 0), SIMD4(z.cross(x) * sign, 0), SIMD4(side * sign, 0), [0, 0, 0, 1]
            ))
    }
}
