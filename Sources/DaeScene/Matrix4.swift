extension Dae {
    /// A 4 × 4 matrix of doubles that is applied to column vectors standing on its right.
    public struct Matrix4: Sendable, Hashable {
        /// The columns, left to right; the last is the translation.
        public var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

        /// From its columns, left to right; the last is the translation.
        public init(columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)) {
            self.columns = columns
        }

        /// What moves nothing.
        public static let identity = Matrix4(columns: ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]))

        /// From 16 values row by row, as COLLADA writes them; `nil` for any other number of values.
        package init?(rows values: some RandomAccessCollection<Double>) {
            guard values.count == 16 else { return nil }
            let all = Array(values)
            func column(_ index: Int) -> SIMD4<Double> {
                SIMD4(all[index], all[4 + index], all[8 + index], all[12 + index])
            }
            columns = (column(0), column(1), column(2), column(3))
        }

        /// The 16 values column by column, as graphics processors take them.
        public var floats: [Float] {
            [columns.0, columns.1, columns.2, columns.3].flatMap { column in (0..<4).map { Float(column[$0]) } }
        }

        /// The 16 values row by row.
        package var rows: [Double] {
            (0..<4).flatMap { [columns.0[$0], columns.1[$0], columns.2[$0], columns.3[$0]] }
        }

        /// First `right`, then `left`.
        public static func * (left: Matrix4, right: Matrix4) -> Matrix4 {
            func apply(_ vector: SIMD4<Double>) -> SIMD4<Double> {
                left.columns.0 * vector.x + left.columns.1 * vector.y + left.columns.2 * vector.z
                    + left.columns.3 * vector.w
            }
            return Matrix4(
                columns: (
                    apply(right.columns.0), apply(right.columns.1), apply(right.columns.2), apply(right.columns.3)
                ))
        }

        /// The point moved by the matrix; the last row is taken as 0 0 0 1.
        @inlinable public func transform(point: SIMD3<Double>) -> SIMD3<Double> {
            let moved = columns.0 * point.x + columns.1 * point.y + columns.2 * point.z + columns.3
            return SIMD3(moved.x, moved.y, moved.z)
        }

        package var isAffine: Bool { columns.0.w == 0 && columns.1.w == 0 && columns.2.w == 0 && columns.3.w == 1 }

        /// With a last row of 0 0 0 1.
        var affine: Matrix4 {
            func column(_ column: SIMD4<Double>, _ w: Double) -> SIMD4<Double> {
                SIMD4(column.x, column.y, column.z, w)
            }
            return Matrix4(
                columns: (column(columns.0, 0), column(columns.1, 0), column(columns.2, 0), column(columns.3, 1)))
        }

        /// Whether boxes along the axes stay boxes along the axes: each row moves one axis at most.
        package var keepsBoxes: Bool {
            (0..<3).allSatisfy { row in
                let axes = (columns.0[row] != 0 ? 1 : 0) + (columns.1[row] != 0 ? 1 : 0) + (columns.2[row] != 0 ? 1 : 0)
                return axes <= 1
            }
        }

        public static func == (left: Matrix4, right: Matrix4) -> Bool {
            left.columns.0 == right.columns.0 && left.columns.1 == right.columns.1 && left.columns.2 == right.columns.2
                && left.columns.3 == right.columns.3
        }

        public func hash(into hasher: inout Hasher) {
            for column in [columns.0, columns.1, columns.2, columns.3] { hasher.combine(column) }
        }
    }
}

extension Matrix4 {
    /// The matrix that undoes this one; `nil` when there is none, or none that is finite. The last row is taken as
    /// 0 0 0 1.
    public var inverse: Dae.Matrix4? {
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
