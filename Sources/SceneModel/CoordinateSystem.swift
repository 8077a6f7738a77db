/// The unit and the up axis that numbers are written in. All three are right-handed.
public struct CoordinateSystem: Sendable, Hashable {
    /// Metres in one unit, above 0.
    public var metersPerUnit: Double
    public var upAxis: Scene.UpAxis

    public init(metersPerUnit: Double = 1, upAxis: Scene.UpAxis = .y) {
        self.metersPerUnit = metersPerUnit
        self.upAxis = upAxis
    }

    /// Takes points of this system into another: a turn that moves axes onto axes, exactly, and a scale.
    public func conversion(to other: CoordinateSystem) -> Matrix4 {
        turn(to: other) * Matrix4(uniformScale: scale(to: other))
    }

    /// Units of the other system in one of this.
    public func scale(to other: CoordinateSystem) -> Double {
        metersPerUnit == other.metersPerUnit ? 1 : metersPerUnit / other.metersPerUnit
    }

    /// Takes directions of this system into another; all its numbers are 0, 1 or −1.
    public func turn(to other: CoordinateSystem) -> Matrix4 {
        let from = upAxis.directions
        let to = other.upAxis.directions
        func moved(_ axis: SIMD3<Double>) -> SIMD4<Double> {
            SIMD4(
                to.right * from.right.dot(axis) + to.up * from.up.dot(axis) + to.inward * from.inward.dot(axis), 0)
        }
        return Matrix4(columns: (moved([1, 0, 0]), moved([0, 1, 0]), moved([0, 0, 1]), [0, 0, 0, 1]))
    }
}

extension Scene.UpAxis {
    /// What is right, up and towards the viewer.
    ///
    /// - Source: COLLADA 1.4.1, chapter 5, `up_axis`.
    fileprivate var directions: (right: SIMD3<Double>, up: SIMD3<Double>, inward: SIMD3<Double>) {
        switch self {
        case .x: ([0, -1, 0], [1, 0, 0], [0, 0, 1])
        case .y: ([1, 0, 0], [0, 1, 0], [0, 0, 1])
        case .z: ([1, 0, 0], [0, 0, 1], [0, -1, 0])
        }
    }
}

extension CoordinateSystem: CustomStringConvertible {
    /// Such as `0.0254 m, Z_UP`.
    public var description: String { "\(metersPerUnit) m, \(upAxis.rawValue)" }
}

extension Matrix4 {
    init(uniformScale scale: Double) {
        self.init(columns: ([scale, 0, 0, 0], [0, scale, 0, 0], [0, 0, scale, 0], [0, 0, 0, 1]))
    }
}
