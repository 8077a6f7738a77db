import DaeScene

/// A light where it stands in the world.
struct PlacedLight: Sendable {
    enum Kind: Sendable {
        case ambient
        /// Towards the light.
        case directional(Vector)
        case point(at: Vector, Light.Attenuation)
        case spot(at: Vector, Light.Attenuation, along: Vector, cosine: Float, exponent: Float)
    }

    let kind: Kind
    let color: Vector

    init(kind: Kind, color: Vector) {
        (self.kind, self.color) = (kind, color)
    }

    /// - Parameter world: From the light's node to the world, in the same units; it shines along −z.
    init?(_ light: Light, world: Matrix4) {
        guard let source = light.source else { return nil }
        let strength = light.intensity ?? 1
        let written = (light.color ?? SIMD3(1, 1, 1)) * strength
        guard written.isFinite else { return nil }
        color = Vector(narrowing: written)
        let back = Vector(narrowing: world.columns.2.xyz.unit)
        let place = Vector(narrowing: world.columns.3.xyz)
        switch source {
        case .ambient: kind = .ambient
        case .directional: kind = .directional(back)
        case .point(let attenuation): kind = .point(at: place, attenuation)
        case .spot(let attenuation, let falloff):
            // Half of the whole cone; 180 degrees is no spot at all.
            let cosine = falloff.angle >= 360 ? -1 : Functions.cosine(degrees: max(0, falloff.angle) / 2)
            kind = .spot(
                at: place, attenuation, along: -back, cosine: Float(cosine), exponent: Float(falloff.exponent))
        }
    }

    /// Where the light is, as a direction from a place, and how much of it arrives there; `nil` for one that is everywhere.
    @inline(__always)
    func arriving(at place: Vector) -> (direction: Vector, amount: Float)? {
        switch kind {
        case .ambient: return nil
        case .directional(let direction): return (direction, 1)
        case .point(let origin, let attenuation):
            let way = origin - place
            return (way.unit, Self.share(attenuation, way))
        case .spot(let origin, let attenuation, let along, let cosine, let exponent):
            let way = origin - place
            let direction = way.unit
            let inline = -direction.dot(along)
            guard inline >= cosine else { return (direction, 0) }
            return (direction, Self.share(attenuation, way) * Functions.power(max(0, inline), exponent))
        }
    }

    /// - Source: COLLADA 1.4.1, chapter 5, `point`.
    private static func share(_ attenuation: Light.Attenuation, _ way: Vector) -> Float {
        let square = Double(way.dot(way))
        let divisor = attenuation.constant + attenuation.linear * square.squareRoot() + attenuation.quadratic * square
        let share = Float(1 / divisor)
        // Nothing that is divided by takes light away, or makes it endless.
        return share.isFinite && share > 0 ? min(share, 1e6) : 0
    }
}

/// What of a surface answers to light, at one place.
struct Reflectance {
    var emission = Vector.zero
    var ambient = Vector.zero
    var diffuse = Vector.zero
    var specular = Vector.zero
    var shininess: Float = 0
    var model = Shading.lambert
}

/// The light of a scene, as COLLADA's models have it: sums of numbers that displays show as they are.
struct Illumination: Sendable {
    var lights: [PlacedLight] = []
    /// Light that comes from everywhere, whatever a material says of its ambient colour.
    var fill: Float = 0

    /// - Parameters:
    ///   - normal: Of length 1, or 0.
    ///   - toViewer: Of length 1.
    /// - Source: COLLADA 1.4.1, chapter 7, `blinn`, `phong`, `lambert`, `constant`.
    func shade(_ surface: Reflectance, at place: Vector, normal: Vector, toViewer: Vector) -> Vector {
        var sum = surface.emission
        switch surface.model {
        case .constant: return sum
        case .lambert, .phong, .blinn: break
        }
        sum += surface.diffuse * fill
        let shines = surface.model != .lambert && surface.specular != .zero
        // By place: a walk over the list would count it, and all threads count the same.
        for index in lights.indices {
            let light = lights[index]
            guard let (direction, amount) = light.arriving(at: place) else {
                sum += surface.ambient * light.color
                continue
            }
            let facing = normal.dot(direction)
            guard amount > 0, facing > 0 else { continue }
            let arriving = light.color * amount
            sum += surface.diffuse * arriving * facing
            guard shines else { continue }
            let half = (direction + toViewer).unit
            let glance = max(0, normal.dot(half))
            sum += surface.specular * arriving * Functions.power(glance, surface.shininess)
        }
        return sum
    }
}
