import SceneModel

/// Keys at which a node's translation, rotation and scale are known together.
struct PartKeys {
    private var translations: ExportTrack
    private var rotations: ExportTrack
    private var scales: ExportTrack
    private var last: SIMD4<Double>?
    /// The most that a matrix was off because of its shear.
    private(set) var shear = 0.0

    init(_ interpolation: ExportTrack.Interpolation, count: Int) {
        translations = ExportTrack(.translation, interpolation, width: 3, keys: count)
        rotations = ExportTrack(.rotation, interpolation, width: 4, keys: count)
        scales = ExportTrack(.scale, interpolation, width: 3, keys: count)
    }

    mutating func note(shear: Double) { self.shear = max(self.shear, shear) }

    /// - Parameter time: Never earlier than the one before.
    mutating func add(_ parts: RigidScale, at time: Float) {
        // Of a rotation's two quaternions the one nearer to the key before: so that no engine turns the long way round.
        var rotation = parts.rotation
        if let last, (rotation * last).sum() < 0 { rotation = -rotation }
        last = rotation
        translations.beginKey(at: time)
        translations.append(parts.translation)
        rotations.beginKey(at: time)
        rotations.append(rotation)
        scales.beginKey(at: time)
        scales.append(parts.scale)
    }

    /// Those that move, or stand otherwise than at rest.
    func tracks(unless rest: RigidScale) -> [ExportTrack] {
        [
            translations.settled(unless: SIMD4(rest.translation, 0)), rotations.settled(unless: rest.rotation),
            scales.settled(unless: SIMD4(rest.scale, 0)),
        ].compactMap { $0 }
    }
}
