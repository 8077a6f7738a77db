import SceneModel

/// Tells triangles whose corners differ and that have no area all the same.
enum FlatTriangle {
    /// Whether the height on the longest side is no more than a `Float` can tell from 0; not of corners that are
    /// repeated or have no finite position.
    ///
    /// - Parameters:
    ///   - positions: x y z after x y z.
    ///   - reach: Of the mesh's box.
    @inline(__always)
    static func matches(
        _ a: Int32, _ b: Int32, _ c: Int32, _ positions: Span<Double>, reach: Double
    ) -> Bool {
        let count = positions.count / 3
        guard a != b, b != c, c != a, a >= 0, b >= 0, c >= 0, Int(max(a, b, c)) < count else { return false }
        let (first, second, third) = (3 * Int(a), 3 * Int(b), 3 * Int(c))
        let (x, y, z) = (positions[first], positions[first + 1], positions[first + 2])
        let (ux, uy, uz) = (positions[second] - x, positions[second + 1] - y, positions[second + 2] - z)
        let (vx, vy, vz) = (positions[third] - x, positions[third + 1] - y, positions[third + 2] - z)
        let (wx, wy, wz) = (vx - ux, vy - uy, vz - uz)
        let (nx, ny, nz) = (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
        let longest = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz)
        let normal = nx * nx + ny * ny + nz * nz
        guard longest.isFinite, normal.isFinite else { return false }
        let noise = PolygonProbe.width * reach
        return normal <= noise * noise * longest
    }
}
