import DaeScene

extension RandomScene {
    mutating func addMaterials() {
        for _ in 0..<dice.int(0...4) {
            let others = scene.materials.filter { $0.shading != nil }
            if !others.isEmpty, dice.chance(0.3) {
                addMaterial(withTheEffectOf: dice.pick(others))
            } else {
                addMaterial()
            }
        }
    }

    private mutating func addMaterial() {
        var material = Material(id: newID("material"), name: maybeName(), effectID: nil, shading: nil)
        if dice.chance(0.9) {
            let effect = newID("effect")
            material.effectID = effect
            if dice.chance(0.95) { fill(&material, effect) }
        }
        scene.materials.append(material)
    }

    private mutating func fill(_ material: inout Material, _ effect: String) {
        let shading = dice.pick(Shading.allCases)
        material.shading = shading
        for property in shading.properties where dice.chance(0.5) { material.properties[property] = value(property) }
        let mode = dice.pick(version == .v14 ? [Opacity.Mode.aOne, .rgbZero] : Opacity.Mode.allCases)
        modes[effect] = material.properties[.transparent] == nil ? .aOne : mode
        settle(&material)
        addExtras(to: &material)
    }

    /// Another material of the same effect, which sets one of its values differently.
    private mutating func addMaterial(withTheEffectOf other: Material) {
        var material = other
        material.id = newID("material")
        material.name = maybeName()
        let plain = other.properties.keys.filter { other.properties[$0]?.texture == nil }
            .sorted { $0.rawValue < $1.rawValue }
        if !plain.isEmpty {
            let property = dice.pick(plain)
            material.properties[property] = property.isNumber ? .number(dice.number()) : .color(dice.color())
            settle(&material)
        }
        (material.sides, material.details, material.extras) = (nil, [:], [])
        addExtras(to: &material)
        scene.materials.append(material)
    }

    private func settle(_ material: inout Material) {
        material.opacityMode = material.effectID.flatMap { modes[$0] } ?? .aOne
        material.opacity = Opacity(
            transparent: material.properties[.transparent],
            transparency: material.properties[.transparency]?.number,
            mode: material.effectID.flatMap { modes[$0] } ?? .aOne)
    }

    private mutating func value(_ property: Material.Property) -> Material.Value {
        if property.isNumber { return .number(dice.chance(0.5) ? dice.number() : 0.25) }
        if !scene.images.isEmpty, dice.chance(0.4) { return .texture(texture()) }
        return .color(dice.color())
    }

    // MARK: - Textures

    private mutating func texture() -> Material.Texture {
        var texture = Material.Texture(
            image: SceneIndex(dice.int(0...scene.images.count - 1)), texcoord: dice.pick(["UV", "CHANNEL1", "a \"b\""]))
        texture.sampler = sampler()
        texture.amount = dice.maybe(0.3) { $0.number() }
        texture.blendMode = dice.maybe(0.3) { $0.text() }
        var transform = Material.Texture.UVTransform()
        if dice.chance(0.3) { transform.repetition = SIMD2(dice.number(), dice.number()) }
        if dice.chance(0.3) { transform.offset = SIMD2(dice.number(), dice.number()) }
        if dice.chance(0.3) { transform.rotation = dice.number() }
        if dice.chance(0.1) { transform.coverage = SIMD2(dice.number(), dice.number()) }
        if dice.chance(0.1) { transform.frameTranslation = SIMD2(dice.number(), dice.number()) }
        if dice.chance(0.1) { transform.frameRotation = dice.number() }
        texture.transform = transform.isIdentity ? nil : transform
        return texture
    }

    private mutating func sampler() -> Material.Texture.Sampler {
        typealias Texture = Material.Texture
        var sampler = Texture.Sampler()
        sampler.wrapS = dice.maybe(0.5) { $0.pick(Texture.Wrap.allCases) }
        sampler.wrapT = dice.maybe(0.5) { $0.pick(Texture.Wrap.allCases) }
        sampler.wrapP = dice.maybe(0.2) { $0.pick(Texture.Wrap.allCases) }
        sampler.minFilter = dice.maybe(0.5) { $0.pick(Texture.Filter.allCases) }
        sampler.magFilter = dice.maybe(0.5) { $0.pick(Texture.Filter.allCases) }
        sampler.mipFilter = dice.maybe(0.3) { $0.pick(Texture.Filter.allCases) }
        sampler.borderColor = dice.maybe(0.3) { $0.color() }
        sampler.mipMaxLevel = dice.maybe(0.3) { $0.int(0...255) }
        sampler.mipBias = dice.maybe(0.3) { $0.number() }
        switch version {
        case .v14: break
        case .v15:
            sampler.maxAnisotropy = dice.maybe(0.3) { $0.int(1...255) }
            sampler.mipMinLevel = dice.maybe(0.3) { $0.int(0...255) }
        }
        return sampler
    }

    // MARK: - Extras

    private mutating func addExtras(to material: inout Material) {
        material.sides = dice.maybe(0.3) { $0.chance(0.5) ? .single : .double }
        for detail in Material.Detail.allCases where dice.chance(0.15) {
            if detail == .fresnelExponent {
                material.details[detail] = .number(dice.number())
            } else {
                let isTextured = !scene.images.isEmpty && dice.chance(0.6)
                material.details[detail] = isTextured ? .texture(texture()) : .color(dice.color())
            }
        }
        material.extras = dice.list(0...2) { dice in
            .init(
                profile: dice.maybe(0.8) { $0.pick(["MAX3D", "TOOL", "a & b"]) },
                path: dice.list(1...3) { $0.pick(["shader", "faceted", "wireframe", "über"]) }.joined(separator: "/"),
                text: dice.chance(0.8) ? dice.text() : "")
        }
    }
}

extension Material.Property {
    var isNumber: Bool {
        switch self {
        case .shininess, .reflectivity, .transparency, .indexOfRefraction: true
        case .emission, .ambient, .diffuse, .specular, .reflective, .transparent: false
        }
    }
}

extension Shading {
    /// What each model may have.
    fileprivate var properties: [Material.Property] {
        let all: [Material.Property] = [
            .emission, .reflective, .reflectivity, .transparent, .transparency, .indexOfRefraction,
        ]
        return switch self {
        case .constant: all
        case .lambert: all + [.ambient, .diffuse]
        case .phong, .blinn: all + [.ambient, .diffuse, .specular, .shininess]
        }
    }
}
