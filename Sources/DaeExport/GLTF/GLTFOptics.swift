import DaeCore
import DaeMesh
import DaeScene

/// Writes cameras and lights, each once, but for lights whose brightness hangs on where they are. Lengths are in metres there, however nodes scale.
struct GLTFOptics {
    private(set) var cameras: JSONList
    private(set) var lights: JSONList
    private let scene: Scene
    /// Units of the file in one of the scene's.
    private let scale: Double
    private var cameraIndices: [Int: Int?] = [:]
    private var lightIndices: [LightKey: Int?] = [:]

    private struct LightKey: Hashable {
        let light: Int
        /// `nil` where it makes no difference; distances that nobody could tell apart by the light are one.
        let distance: Float?
    }

    init(_ scene: Scene, _ spool: TextSpool, scale: Double) {
        (cameras, lights) = (JSONList(spool), JSONList(spool))
        self.scene = scene
        self.scale = scale
    }

    // MARK: - Cameras

    /// `nil` for a camera whose optics could not be read.
    mutating func camera(_ index: SceneIndex<Camera>, _ report: inout FidelityReport) -> Int? {
        if let known = cameraIndices[index.value] { return known }
        let camera = scene.cameras[index]
        var planes = CameraPlanes(of: camera, scale: scale)
        let made = object(of: camera, &planes).map { cameras.add($0) }
        if made == nil {
            report.add(.dropped, .cameras, at: camera.id ?? camera.name)
        } else if planes.areChanged {
            report.add(.approximated, .cameras, at: camera.id ?? camera.name)
        }
        cameraIndices[index.value] = .some(made)
        return made
    }

    private func object(of camera: Camera, _ planes: inout CameraPlanes) -> JSONObject? {
        switch camera.projection {
        case .perspective(let xfov, let yfov):
            guard let yfov = Self.yfov(xfov, yfov, camera.aspectRatio) else { return nil }
            let aspect = Self.aspect(xfov, yfov, camera.aspectRatio)
            let (near, far) = planes.perspective()
            return object(camera, "perspective") { optics in
                if let aspect { optics.put("aspectRatio", aspect) }
                optics.put("yfov", yfov)
                if let far { optics.put("zfar", far) }
                optics.put("znear", near)
            }
        case .orthographic(let xmag, let ymag):
            let aspect = camera.aspectRatio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? 1
            guard let x = xmag ?? ymag.map({ $0 * aspect }), let y = ymag ?? xmag.map({ $0 / aspect }), x != 0, y != 0,
                x.isFinite, y.isFinite
            else { return nil }
            let (near, far) = planes.orthographic()
            return object(camera, "orthographic") { optics in
                optics.put("xmag", x * scale)
                optics.put("ymag", y * scale)
                optics.put("zfar", far)
                optics.put("znear", near)
            }
        case nil: return nil
        }
    }

    private func object(
        _ camera: Camera, _ type: StaticString, _ fill: (inout JSONObject) -> Void
    ) -> JSONObject {
        JSONObject { object in
            if let name = camera.name ?? camera.id { object.put("name", name) }
            object.put("type", "\(type)")
            object.put(type, JSONObject(fill))
            if let id = camera.id { object.put("extras", JSONObject { $0.put("id", id) }) }
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

    // MARK: - Lights

    /// Whether a light falls off otherwise than in the format.
    static func fallsOffOtherwise(_ light: Light) -> Bool {
        guard let attenuation = light.source?.attenuation else { return false }
        return attenuation.constant != 0 || attenuation.linear != 0 || attenuation.quadratic <= 0
    }

    /// `nil` for a light that the format does not have.
    ///
    /// - Parameter distance: Where it is to be as bright as the document has it, in the file's units, above 0.
    mutating func light(_ index: SceneIndex<Light>, at distance: Double, _ report: inout FidelityReport) -> Int? {
        let light = scene.lights[index]
        let key = LightKey(light: index.value, distance: Self.fallsOffOtherwise(light) ? Self.step(of: distance) : nil)
        if let known = lightIndices[key] { return known }
        let made = object(of: light, at: distance).map { lights.add($0) }
        let place = light.id ?? light.name
        if made == nil {
            report.add(.dropped, .lights, at: place)
        } else if key.distance != nil {
            report.add(.approximated, .lightFalloff, at: place)
        }
        if made != nil, let falloff = light.source?.falloff, falloff.exponent > 0 {
            report.add(.approximated, .spotFalloff, at: place)
        }
        lightIndices[key] = .some(made)
        return made
    }

    /// Distances that differ by less than a thousandth are one: the difference in brightness is less than a display shows.
    private static func step(of distance: Double) -> Float {
        let bits = Float(distance).bitPattern
        let step = Float(bitPattern: (bits &+ (1 << 12)) & ~((1 << 13) - 1))
        return step > 0 && step.isFinite ? step : Float(distance)
    }

    private func object(of light: Light, at distance: Double) -> JSONObject? {
        let type: String
        switch light.source {
        case .directional: type = "directional"
        case .point: type = "point"
        case .spot: type = "spot"
        case .ambient, nil: return nil
        }
        let shown = light.color ?? .one
        let color = shown.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1e6))
        let strongest = color.max()
        let tint = strongest > 0 ? color / strongest : .one
        return JSONObject { object in
            if let name = light.name ?? light.id { object.put("name", name) }
            object.put("type", type)
            object.put("color", [tint.x.linearFromSRGB, tint.y.linearFromSRGB, tint.z.linearFromSRGB])
            let factor = light.intensity.flatMap { $0.isFinite ? max(0, $0) : nil } ?? 1
            object.put("intensity", strongest * factor * intensity(of: light, at: distance))
            if let falloff = light.source?.falloff {
                let outer = min(90, max(0.01, falloff.angle / 2)) * .pi / 180
                object.put(
                    "spot",
                    JSONObject { spot in
                        spot.put("innerConeAngle", falloff.exponent > 0 ? 0 : outer * 0.999)
                        spot.put("outerConeAngle", outer)
                    })
            }
            if let id = light.id { object.put("extras", JSONObject { $0.put("id", id) }) }
        }
    }

    /// Lux for a directional light, else candela: π, for a white surface sends back a πth of what falls on it to each side,
    /// where COLLADA's shows the light's own colour.
    ///
    /// A light that does not fall off by the square of the distance is as bright as the document has it at one distance.
    private func intensity(of light: Light, at distance: Double) -> Double {
        guard let attenuation = light.source?.attenuation else { return .pi }
        guard Self.fallsOffOtherwise(light) else { return .pi * scale * scale / attenuation.quadratic }
        let far = distance / scale
        let divisor = attenuation.constant + attenuation.linear * far + attenuation.quadratic * far * far
        let brightness = divisor > 0 && divisor.isFinite ? 1 / divisor : 1
        let intensity = Double.pi * brightness * distance * distance
        return intensity.isFinite ? intensity : .pi
    }
}

/// Between what distances a camera sees, in the file's units.
struct CameraPlanes {
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
