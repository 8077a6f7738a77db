import SceneModel

extension Matrix4 {
    /// How far apart two matrices move points: those of their origins as a share of `size`, and directions as a share of
    /// their length.
    func distance(to other: Matrix4, size: Double) -> Double {
        let origin = (columns.3.spatial - other.columns.3.spatial).size / size
        let lengths = max(columns.0.spatial.size, columns.1.spatial.size, columns.2.spatial.size)
        guard lengths > 0 else { return origin }
        let axes = max(
            (columns.0.spatial - other.columns.0.spatial).size, (columns.1.spatial - other.columns.1.spatial).size,
            (columns.2.spatial - other.columns.2.spatial).size)
        return max(origin, axes / lengths)
    }

    func halfway(to other: Matrix4) -> Matrix4 {
        Matrix4(
            columns: (
                (columns.0 + other.columns.0) / 2, (columns.1 + other.columns.1) / 2,
                (columns.2 + other.columns.2) / 2, (columns.3 + other.columns.3) / 2
            ))
    }

    /// - Parameter rows: Of which the 16 from `start` on are its rows, one after the other.
    init(rows: [Double], from start: Int) {
        func column(_ index: Int) -> SIMD4<Double> {
            SIMD4(
                rows[start + index], rows[start + 4 + index], rows[start + 8 + index], rows[start + 12 + index])
        }
        self.init(columns: (column(0), column(1), column(2), column(3)))
    }
}
