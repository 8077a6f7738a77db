// Pictures show a document's own numbers, as the displays of its time did: nothing is made linear, neither on the way in
// nor on the way out.

import DaeMesh
import DaeScene

/// A texture as a surface samples it.
struct LookTexture: Sendable {
    /// Into the picture's textures.
    let image: Int
    /// Into the texture coordinates of a part.
    let set: Int
    let sampling: TextureSampling
    let transform: TextureTransform?
}

/// A colour, or a texture that gives it.
enum LookValue: Sendable {
    case color(Vector)
    case texture(LookTexture)

    var isTexture: Bool {
        switch self {
        case .color: false
        case .texture: true
        }
    }
}

/// How much of a surface covers what is behind it.
enum LookOpacity: Sendable {
    case number(Float)
    /// A texture, of which the opacity's own rule says what counts.
    case texture(LookTexture, Opacity.Map)
}

/// What a part is drawn with.
struct Look: Sendable {
    var model = Shading.lambert
    var emission = LookValue.color(.zero)
    var ambient = LookValue.color(.zero)
    var diffuse = LookValue.color(Vector(repeating: 1))
    var specular = LookValue.color(.zero)
    var shininess: Float = 0
    var opacity = LookOpacity.number(1)
    /// Whether the colours of vertices count.
    var takesVertexColors = true

    /// Whether anything of it lets through what is behind.
    var isClear: Bool {
        switch opacity {
        case .number(let number): number < 1
        case .texture: true
        }
    }

    /// Whether nothing of it is seen.
    var isInvisible: Bool {
        switch opacity {
        case .number(let number): number <= 0
        case .texture: false
        }
    }
}

/// Makes looks of materials, by the rules of a style.
struct LookMaker {
    let scene: Scene
    let style: RenderOptions.Style
    /// By image, into the picture's textures; `nil` for those that cannot be had.
    let textures: [SceneIndex<Image>: Int?]

    /// Those that may have a texture that is seen.
    static let properties: [Material.Property] = [.emission, .ambient, .diffuse, .specular, .transparent]

    func look(of surface: Surface?) -> Look {
        guard let surface, let index = surface.material else { return plain }
        let material = scene.materials[index]
        switch style {
        case .suite: return literal(material, surface.sets)
        case .lit, .normals, .wireframe, .uv: return friendly(material, surface.sets)
        }
    }

    /// Of what has no material.
    private var plain: Look {
        var look = Look()
        switch style {
        case .suite: (look.model, look.emission) = (.constant, look.diffuse)
        case .lit, .normals, .wireframe, .uv: break
        }
        look.ambient = look.diffuse
        return look
    }

    // MARK: - To the letter

    private func literal(_ material: Material, _ sets: [String: Int]) -> Look {
        var look = Look()
        look.model = material.shading ?? .lambert
        func value(_ property: Material.Property) -> LookValue? {
            material[property].flatMap { self.value($0, sets) }
        }
        let emission = value(.emission)
        look.emission = emission ?? .color(.zero)
        look.ambient = value(.ambient) ?? .color(Vector(repeating: 0.31))
        switch material.shading {
        case .constant: look.diffuse = .color(.zero)
        case .lambert, .phong, .blinn, nil:
            let hasOther = emission != nil || material[.specular] != nil
            look.diffuse = value(.diffuse) ?? .color(Vector(repeating: hasOther ? 0 : 0.7))
        }
        switch material.shading {
        case .phong, .blinn:
            look.specular = value(.specular) ?? .color(Vector(repeating: 1))
            look.shininess = Float(material[.shininess]?.number ?? 50)
        case .constant, .lambert, nil: break
        }
        look.opacity = opacity(material.opacity, sets)
        return look
    }

    // MARK: - As other programs show what convert writes

    private func friendly(_ material: Material, _ sets: [String: Int]) -> Look {
        var look = Look()
        look.model = material.shading ?? .lambert
        func value(_ property: Material.Property) -> LookValue? {
            material[property].flatMap { self.value($0, sets) }
        }
        let white = LookValue.color(Vector(repeating: 1))
        switch material.shading {
        case .constant:
            look.emission = value(.emission) ?? value(.diffuse) ?? white
            look.diffuse = .color(.zero)
        case .lambert, .phong, .blinn, nil:
            look.diffuse = value(.diffuse) ?? (material.isBlackBeneath ? .color(.zero) : white)
            look.emission = value(.emission) ?? .color(.zero)
            if let level = material.details[.emissionLevel]?.number, case .color(let color) = look.emission {
                look.emission = .color(color * Float(max(0, level)))
            }
        }
        look.ambient = look.diffuse
        switch material.shading {
        case .phong, .blinn:
            // An exponent that small is a share of something, and would whiten all of it.
            let exponent = material[.shininess]?.number ?? 0
            if exponent >= 2, let specular = value(.specular) {
                look.specular = specular
                look.shininess = Float(min(exponent, 1024))
            }
        case .constant, .lambert, nil: break
        }
        look.opacity = opacity(material.likelyOpacity, sets)
        return look
    }

    // MARK: - Values

    private func opacity(_ opacity: Opacity, _ sets: [String: Int]) -> LookOpacity {
        switch opacity {
        case .opaque: return .number(1)
        case .constant(let number): return .number(Float(number))
        case .texture(let map):
            guard let texture = lookTexture(map.texture, sets) else { return .number(1) }
            return .texture(texture, map)
        }
    }

    private func value(_ value: Material.Value, _ sets: [String: Int]) -> LookValue? {
        switch value {
        case .color(let color):
            let color = color.xyz
            guard color.isFinite else { return .color(.zero) }
            return .color(Vector(narrowing: color))
        case .number(let number): return number.isFinite ? .color(Vector(repeating: Float(number))) : nil
        case .texture(let texture):
            // What cannot be shown is white: its material's other colours are seen.
            guard let texture = lookTexture(texture, sets) else { return .color(Vector(repeating: 1)) }
            return .texture(texture)
        }
    }

    private func lookTexture(_ texture: Material.Texture, _ sets: [String: Int]) -> LookTexture? {
        guard let image = textures[texture.image] ?? nil else { return nil }
        return LookTexture(
            image: image, set: sets[texture.texcoord] ?? 0,
            sampling: TextureSampling(texture.sampler, isLiteral: style == .suite),
            transform: texture.transform.flatMap { $0.isIdentity ? nil : TextureTransform($0) })
    }
}

/// What an exporter does to texture coordinates before a picture is sampled: an affine map.
struct TextureTransform: Sendable {
    private var x = SIMD2<Float>(1, 0)
    private var y = SIMD2<Float>(0, 1)
    private var shift = SIMD2<Float>(0, 0)

    /// In the order of Maya's place2dTexture: the frame first, then what repeats in it.
    init(_ transform: Material.Texture.UVTransform) {
        func narrow(_ vector: SIMD2<Double>) -> SIMD2<Float> { SIMD2(Float(vector.x), Float(vector.y)) }
        move(-narrow(transform.frameTranslation))
        turn(degrees: -transform.frameRotation)
        let coverage = narrow(transform.coverage)
        if coverage.x != 0, coverage.y != 0 { scale(1 / coverage) }
        scale(narrow(transform.repetition))
        move(narrow(transform.offset))
        turn(degrees: transform.rotation)
    }

    func callAsFunction(_ place: SIMD2<Float>) -> SIMD2<Float> { direction(place) + shift }

    /// Of a difference of places.
    func direction(_ way: SIMD2<Float>) -> SIMD2<Float> { x * way.x + y * way.y }

    private mutating func move(_ way: SIMD2<Float>) { shift += way }

    private mutating func scale(_ factor: SIMD2<Float>) {
        x *= factor
        y *= factor
        shift *= factor
    }

    /// About the middle of the picture.
    private mutating func turn(degrees: Double) {
        guard degrees != 0 else { return }
        let (sine, cosine) = (Float(Functions.sine(degrees: degrees)), Float(Functions.cosine(degrees: degrees)))
        func turned(_ way: SIMD2<Float>) -> SIMD2<Float> {
            SIMD2(way.x * cosine - way.y * sine, way.x * sine + way.y * cosine)
        }
        shift = turned(shift - 0.5) + 0.5
        (x, y) = (turned(x), turned(y))
    }
}
