import SceneModel

/// Between what distances a camera sees, in the file's units.
struct CameraPlanes {
    private let near: Double?
    private let far: Double?
    /// Whether the document gives one that the format does not take.
    private(set) var areChanged = false  // a finding about the camera

    /// Of a camera that does not say.
    private static let usualNear = 0.1
    /// How far behind the near plane the far one is, and how many times as far, of a camera that gives but one of them.
    private static let usualDepth = 1000.0

    init(of camera: Camera, scale: Double) {
        near = camera.near.map { $0 * scale }
        far = camera.far.map { $0 * scale }
    }

    /// - Returns: Without `far` for a camera that sees without end.
    mutating func perspective() -> (near: Double, far: Double?) {
        let end = far.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        let usual = min(Self.usualNear, end.map { $0 / Self.usualDepth } ?? Self.usualNear)
        let start = taken(near) { $0 > 0 } ?? (usual > 0 ? usual : Self.usualNear)
        return (start, far == .infinity ? nil : taken(far) { $0 > start })
    }

    /// The format asks for both.
    mutating func orthographic() -> (near: Double, far: Double) {
        let start = taken(near) { $0 >= 0 } ?? 0
        return (start, taken(far) { $0 > start } ?? start + Self.usualDepth)
    }

    private mutating func taken(_ distance: Double?, _ isPossible: (Double) -> Bool) -> Double? {
        guard let distance else { return nil }
        guard distance.isFinite, isPossible(distance) else {
            areChanged = true
            return nil
        }
        return distance
    }
}
