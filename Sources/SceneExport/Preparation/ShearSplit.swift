import Glibc
import SceneModel

/// A matrix with shear as two without: `outer` × `inner`.
struct ShearSplit {
    let outer: RigidScale
    /// A rotation alone.
    let inner: RigidScale

    /// Sweeps over the three pairs of axes; more change nothing that a `Double` holds.
    private static let sweeps = 12

    /// By the singular values of the matrix, found by turning pairs of its columns until all stand at right angles
    /// (one-sided Jacobi). Numbers that are not finite give the identity.
    init(_ matrix: Matrix4) {
        var columns = [matrix.columns.0.spatial, matrix.columns.1.spatial, matrix.columns.2.spatial]
        var turned: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        for _ in 0..<Self.sweeps {
            for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                let across = (columns[first] * columns[second]).sum()
                guard across != 0, across.isFinite else { continue }
                let difference =
                    (columns[second] * columns[second]).sum() - (columns[first] * columns[first]).sum()
                let angle = 0.5 * atan2(2 * across, -difference)
                let (sine, cosine) = (sin(angle), cos(angle))
                (columns[first], columns[second]) = (
                    columns[first] * cosine + columns[second] * sine,
                    columns[second] * cosine - columns[first] * sine
                )
                (turned[first], turned[second]) = (
                    turned[first] * cosine + turned[second] * sine,
                    turned[second] * cosine - turned[first] * sine
                )
            }
        }
        let whole = Matrix4(
            columns: (
                SIMD4(columns[0], 0), SIMD4(columns[1], 0), SIMD4(columns[2], 0), matrix.columns.3
            ))
        outer = RigidScale(nearest: whole)
        // matrix = columns × turned⁻¹, and a rotation's inverse is its transpose.
        let rows = turned
        inner = RigidScale(
            translation: .zero,
            rotation: RigidScale.quaternion(
                [rows[0].x, rows[1].x, rows[2].x], [rows[0].y, rows[1].y, rows[2].y],
                [rows[0].z, rows[1].z, rows[2].z]),
            scale: .one)
    }
}
