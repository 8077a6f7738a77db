extension Matrix4 {
    /// The matrix that undoes this one; `nil` when there is none, or none that is finite. The last row is taken as
    /// 0 0 0 1.
    public var inverse: Matrix4? {
        func axis(_ column: SIMD4<Double>) -> SIMD3<Double> { SIMD3(column.x, column.y, column.z) }
        let (x, y, z, origin) = (axis(columns.0), axis(columns.1), axis(columns.2), axis(columns.3))
        let determinant = x.dot(y.cross(z))
        guard determinant != 0, determinant.isFinite else { return nil }
        let rows = (y.cross(z) / determinant, z.cross(x) / determinant, x.cross(y) / determinant)
        let back = SIMD3(-rows.0.dot(origin), -rows.1.dot(origin), -rows.2.dot(origin))
        guard rows.0.isFinite, rows.1.isFinite, rows.2.isFinite, back.isFinite else { return nil }
        return Matrix4(
            columns: (
                SIMD4(rows.0.x, rows.1.x, rows.2.x, 0), SIMD4(rows.0.y, rows.1.y, rows.2.y, 0),
                SIMD4(rows.0.z, rows.1.z, rows.2.z, 0), SIMD4(back, 1)
            ))
    }
}
