import DaeCore
import DaeMesh
import DaeScene

/// What a camera sees, in the file's units.
struct CameraLens {
    enum Projection {
        /// The height of the view in radians, its width over its height where that is known, and where it ends, if it does.
        case perspective(yfov: Double, aspect: Double?, far: Double?)
        /// Half of the width and of the height of the view.
        case orthographic(xmag: Double, ymag: Double, far: Double)
    }
    let projection: Projection
    /// Where the view begins.
    let near: Double

    /// - Parameter scale: Units of the file in one of the scene's.
    /// - Returns: `nil` for a camera whose optics could not be read.
    init?(of camera: Camera, scale: Double, _ report: inout FidelityReport) {
        var planes = CameraPlanes(of: camera, scale: scale)
        guard let found = Self.lens(of: camera, scale: scale, &planes) else {
            report.add(.dropped, .cameras, at: camera.id ?? camera.name)
            return nil
        }
        (projection, near) = found
        if planes.areChanged { report.add(.approximated, .cameras, at: camera.id ?? camera.name) }
    }

    private static func lens(
        of camera: Camera, scale: Double, _ planes: inout CameraPlanes
    ) -> (projection: Projection, near: Double)? {
        switch camera.projection {
        case .perspective(let xfov, let yfov):
            guard let yfov = Self.yfov(xfov, yfov, camera.aspectRatio) else { return nil }
            let aspect = Self.aspect(xfov, yfov, camera.aspectRatio)
            let (near, far) = planes.perspective()
            return (.perspective(yfov: yfov, aspect: aspect, far: far), near)
        case .orthographic(let xmag, let ymag):
            let aspect = camera.aspectRatio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? 1
            guard let x = xmag ?? ymag.map({ $0 * aspect }), let y = ymag ?? xmag.map({ $0 / aspect }), x != 0, y != 0,
                x.isFinite, y.isFinite
            else { return nil }
            let (near, far) = planes.orthographic()
            return (.orthographic(xmag: x * scale, ymag: y * scale, far: far), near)
        case nil: return nil
        }
    }

    /// In radians.
    private static func yfov(_ xfov: Double?, _ yfov: Double?, _ aspect: Double?) -> Double? {
        func usable(_ degrees: Double) -> Double? { degrees > 0 && degrees < 180 ? degrees * .pi / 180 : nil }
        if let y = yfov.flatMap(usable) { return y }
        guard let x = xfov.flatMap(usable) else { return nil }
        let aspect = aspect.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? 1
        return 2 * atan(tan(x / 2) / aspect)
    }

    /// Width over height.
    private static func aspect(_ xfov: Double?, _ yfov: Double, _ aspect: Double?) -> Double? {
        if let aspect, aspect > 0, aspect.isFinite { return aspect }
        guard let xfov, xfov > 0, xfov < 180 else { return nil }
        return tan(xfov * .pi / 360) / tan(yfov / 2)
    }
}

/// Between what distances a camera sees, in the file's units.
private struct CameraPlanes {
    private let near: Double?
    private let far: Double?
    /// Whether the document gives one that the format does not take.
    private(set) var areChanged = false

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
