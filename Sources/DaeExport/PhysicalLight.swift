import DaeMesh
import DaeScene

/// A light in amounts of light, as formats have it that know no other.
struct PhysicalLight {
    enum Kind {
        case directional
        case point
        /// From where it fades to where it ends, in radians off its axis.
        case spot(inner: Double, outer: Double)
    }
    let kind: Kind
    /// Linear; the strongest channel is 1.
    let color: SIMD3<Double>
    /// Lux for a directional light, else candela: π, for a white surface sends back a πth of what falls on it to each side,
    /// where COLLADA's shows the light's own colour.
    let intensity: Double

    /// - Parameters:
    ///   - scale: Units of the file in one of the scene's.
    ///   - distance: Where it is as bright as the document has it, in the file's units, above 0; of lights alone that fall
    ///     off otherwise than by the square of the distance.
    /// - Returns: `nil` for an ambient light, and for one that could not be read.
    init?(_ light: Light, scale: Double, at distance: Double) {
        switch light.source {
        case .directional: kind = .directional
        case .point: kind = .point
        case .spot(_, let falloff):
            let outer = min(90, max(0.01, falloff.angle / 2)) * .pi / 180
            kind = .spot(inner: falloff.exponent > 0 ? 0 : outer * 0.999, outer: outer)
        case .ambient, nil: return nil
        }
        let shown = (light.color ?? .one).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1e6))
        let strongest = shown.max()
        let tint = strongest > 0 ? shown / strongest : .one
        color = SIMD3(tint.x.linearFromSRGB, tint.y.linearFromSRGB, tint.z.linearFromSRGB)
        let factor = light.intensity.flatMap { $0.isFinite ? max(0, $0) : nil } ?? 1
        intensity = strongest * factor * Self.intensity(of: light, scale, at: distance)
    }

    private static func intensity(of light: Light, _ scale: Double, at distance: Double) -> Double {
        guard let attenuation = light.source?.attenuation else { return .pi }
        guard fallsOffOtherwise(light) else { return .pi * scale * scale / attenuation.quadratic }
        let far = distance / scale
        let divisor = attenuation.constant + attenuation.linear * far + attenuation.quadratic * far * far
        let brightness = divisor > 0 && divisor.isFinite ? 1 / divisor : 1
        let intensity = Double.pi * brightness * distance * distance
        return intensity.isFinite ? intensity : .pi
    }

    /// Whether a light falls off otherwise than by the square of the distance.
    static func fallsOffOtherwise(_ light: Light) -> Bool {
        guard let attenuation = light.source?.attenuation else { return false }
        return attenuation.constant != 0 || attenuation.linear != 0 || attenuation.quadratic <= 0
    }

    /// From the middle of what is drawn to the lights in the file's world, by node of the tree.
    static func distances(of prepared: PreparedScene) -> [Int: Double] {
        let (scene, places) = (prepared.scene, prepared.lightPlaces)
        guard !places.isEmpty, scene.lights.contains(where: fallsOffOtherwise), let box = SceneBounds(of: scene).box
        else {
            return [:]
        }
        let middle = scene.coordinateSystem.conversion(to: prepared.system).transform(point: (box.min + box.max) / 2)
        // One in the middle lights what is around it.
        let least = box.size.max() * scene.coordinateSystem.scale(to: prepared.system) / 4
        return places.mapValues { place in
            let distance = Swift.max((place - middle).size, least)
            return distance > 0 && distance.isFinite ? distance : 1
        }
    }
}
