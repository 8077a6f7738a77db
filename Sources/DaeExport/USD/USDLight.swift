import DaeMesh
import DaeScene

/// A light as UsdLux has it.
///
/// - Source: OpenUSD, UsdLux: "Light Emission", "LightAPI", "ShapingAPI".
struct USDLight {
    private let light: PhysicalLight

    init(_ light: PhysicalLight) { self.light = light }

    func write(_ source: Light, _ names: inout USDNames, _ out: inout USDOutput) throws(SceneExportError) {
        let name = names.unique(USDNames.identifier(source.name ?? source.id, or: "light"))
        let (type, intensity): (String, Double)
        switch light.kind {
        // Normalised, its intensity is what falls on a surface that faces it.
        case .directional: (type, intensity) = ("DistantLight", light.intensity)
        // Normalised, a sphere of luminance 1 / (4 π r²) sends a quarter of its intensity to each side.
        case .point, .spot: (type, intensity) = ("SphereLight", 4 * light.intensity)
        }
        _ = out.crate.begin(name, type)
        switch light.kind {
        case .directional, .point: break
        case .spot: try out.crate.apply(["ShapingAPI"])
        }
        try out.crate.putNames(source.name ?? source.id, as: name, id: source.id, sid: nil)
        let color = [light.color.x, light.color.y, light.color.z].map { Float($0) }
        try out.crate.attribute("inputs:color", "color3f", try out.crate.value(.float3, color))
        try put("inputs:intensity", intensity, &out)
        try out.crate.attribute("inputs:normalize", "bool", CrateValue(true))
        switch light.kind {
        case .directional: try put("inputs:angle", 0, &out)
        case .point: try putPoint(&out)
        case .spot(let inner, let outer):
            try putPoint(&out)
            try put("inputs:shaping:cone:angle", outer * 180 / .pi, &out)
            try put("inputs:shaping:cone:softness", 1 - inner / outer, &out)
        }
        try out.crate.end()
    }

    private func putPoint(_ out: inout USDOutput) throws(SceneExportError) {
        try put("inputs:radius", 1e-3, &out)
        try out.crate.attribute("treatAsPoint", "bool", CrateValue(true))
    }

    private func put(_ name: String, _ number: Double, _ out: inout USDOutput) throws(SceneExportError) {
        try out.crate.attribute(name, "float", CrateValue(Float(number)))
    }
}
