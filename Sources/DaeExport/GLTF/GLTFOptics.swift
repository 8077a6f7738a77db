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

    /// `nil` for a light that the format does not have.
    ///
    /// - Parameter distance: Where it is to be as bright as the document has it, in the file's units, above 0.
    mutating func light(_ index: SceneIndex<Light>, at distance: Double, _ report: inout FidelityReport) -> Int? {
        let light = scene.lights[index]
        let key = LightKey(
            light: index.value, distance: PhysicalLight.fallsOffOtherwise(light) ? Self.step(of: distance) : nil)
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
        guard let physical = PhysicalLight(light, scale: scale, at: distance) else { return nil }
        return JSONObject { object in
            if let name = light.name ?? light.id { object.put("name", name) }
            let type =
                switch physical.kind {
                case .directional: "directional"
                case .point: "point"
                case .spot: "spot"
                }
            object.put("type", type)
            object.put("color", [physical.color.x, physical.color.y, physical.color.z])
            object.put("intensity", physical.intensity)
            switch physical.kind {
            case .directional, .point: break
            case .spot(let inner, let outer):
                object.put(
                    "spot",
                    JSONObject { spot in
                        spot.put("innerConeAngle", inner)
                        spot.put("outerConeAngle", outer)
                    })
            }
            if let id = light.id { object.put("extras", JSONObject { $0.put("id", id) }) }
        }
    }
}
