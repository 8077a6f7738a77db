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
        let made = CameraLens(of: camera, scale: scale, &report).map { cameras.add(object(of: $0, camera)) }
        cameraIndices[index.value] = .some(made)
        return made
    }

    private func object(of lens: CameraLens, _ camera: Camera) -> JSONObject {
        switch lens.projection {
        case .perspective(let yfov, let aspect, let far):
            object(camera, "perspective") { optics in
                if let aspect { optics.put("aspectRatio", aspect) }
                optics.put("yfov", yfov)
                if let far { optics.put("zfar", far) }
                optics.put("znear", lens.near)
            }
        case .orthographic(let xmag, let ymag, let far):
            object(camera, "orthographic") { optics in
                optics.put("xmag", xmag)
                optics.put("ymag", ymag)
                optics.put("zfar", far)
                optics.put("znear", lens.near)
            }
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
