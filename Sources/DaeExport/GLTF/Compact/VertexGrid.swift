import DaeMesh
import DaeScene

/// The places that the vertices of one mesh may have: whole numbers of steps from a corner, the same along all axes, so that
/// normals stay upright.
struct VertexGrid {
    let corner: SIMD3<Double>
    /// From one place to the next, above 0.
    let step: Double
    /// The greatest whole number.
    let most: Double

    /// From whole numbers to the mesh's own space.
    var frame: RigidScale { RigidScale(translation: corner, scale: SIMD3(repeating: step)) }

    /// How far a place may be from the one that is meant along an axis, of the mesh's longest side.
    private static let tolerance = 1.0 / 20_000

    /// - Parameters:
    ///   - primitives: Of one mesh.
    ///   - bits: Of a whole number, 14...16.
    /// - Returns: `nil` where what targets add is so much more than the mesh that one grid cannot hold both, or a number is
    ///   too great.
    init?(of primitives: [PackedPrimitive], bits: Int) {
        var (least, most) = (SIMD3<Double>(repeating: .infinity), SIMD3<Double>(repeating: -.infinity))
        var farthest = 0.0
        var values: [Float] = []
        for primitive in primitives {
            guard let positions = primitive.attributes.first(where: { $0.kind == .position }) else { return nil }
            positions.put(0..<primitive.vertexCount, into: &values)
            for start in stride(from: 0, to: values.count - 2, by: 3) {
                let place = SIMD3(Double(values[start]), Double(values[start + 1]), Double(values[start + 2]))
                (least, most) = (pointwiseMin(least, place), pointwiseMax(most, place))
            }
            for target in primitive.targets {
                target.put(0..<primitive.vertexCount, into: &values)
                farthest = values.reduce(farthest) { max($0, Double(abs($1))) }
            }
        }
        let size = (most - least).max()
        guard size.isFinite, farthest.isFinite else { return nil }
        corner = least
        self.most = Double(1 << bits - 1)
        // Differences are signed, and have a bit less.
        let wanted = max(size / self.most, farthest / Double(Int16.max))
        step = wanted > 0 ? wanted : 1
        guard step / 2 <= size * Self.tolerance || wanted == 0, Float(step).isNormal else { return nil }
    }

    /// The place nearest to a position, and how far that is from it.
    @inline(__always)
    func place(of position: SIMD3<Double>) -> (numbers: SIMD3<Double>, error: Double) {
        let numbers = ((position - corner) / step).rounded(.toNearestOrAwayFromZero)
            .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: most))
        return (numbers, (corner + numbers * step - position).size)
    }

    /// The same of a difference.
    @inline(__always)
    func steps(of difference: SIMD3<Double>) -> (numbers: SIMD3<Double>, error: Double) {
        let limit = SIMD3(repeating: Double(Int16.max))
        let numbers = (difference / step).rounded(.toNearestOrAwayFromZero)
            .clamped(lowerBound: -limit, upperBound: limit)
        return (numbers, (numbers * step - difference).size)
    }
}
