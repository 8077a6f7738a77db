import DaeScene

extension ColladaWriter {
    /// The effects of all materials by document, in the order of the first ones that have them.
    mutating func effects() -> [[String]] {
        var ids: [String] = []
        for id in scene.materials.compactMap(\.effectID) where !ids.contains(id) { ids.append(id) }
        var effects = split.paths.map { _ in [String]() }
        for id in ids {
            home = split.document(ofEffect: id, in: scene)
            let effect = effect(id)
            effects[home].append(effect)
        }
        home = 0
        return effects
    }

    private func group(_ effect: String) -> [Material] { scene.materials.filter { $0.effectID == effect } }

    private mutating func effect(_ id: String) -> String {
        let group = group(id)
        guard let first = group.first, let shading = first.shading else { return Markup.element("effect", ["id": id]) }
        var scope = EffectScope(version: version, images: scene.images.indices.map { reference(.image, $0) ?? "" })
        var parameters = ""
        var properties = ""
        for property in Material.Property.allCases {
            guard let value = first.properties[property] else { continue }
            let content: String
            if isSet(property, in: group) {
                let sid = Self.parameterSID(property)
                parameters += Markup.element("newparam", ["sid": sid], Self.parameter(value))
                content = Markup.element("param", ["ref": sid])
                sids[id, default: [:]][property] = sid
            } else {
                let sid = property.rawValue + ".v"
                content = scope.write(value, sid: sid)
                if value.texture == nil { sids[id, default: [:]][property] = sid }
            }
            properties += Markup.element(
                property.rawValue, ["opaque": property == .transparent ? opaque(group) : nil], content)
        }
        // What one material alone says may stand in its effect; of several it must stand in each.
        let extras = group.count == 1 && dice.chance(0.7) ? self.extras(of: first, &scope) : ""
        let ofTechnique = dice.chance(0.5)
        for material in group { _ = self.extras(of: material, &scope) }
        let technique = Markup.element(
            "technique", ["sid": "common"],
            Markup.element(shading.rawValue, [:], properties) + (ofTechnique ? extras : ""))
        if !extras.isEmpty, let index = scene.materials.firstIndex(where: { $0.effectID == id }) {
            inEffect.insert(index)
        }
        scopes[id] = scope
        return Markup.element(
            "effect", ["id": id],
            Markup.element("profile_COMMON", [:], scope.parameters + parameters + technique)
                + (ofTechnique ? "" : extras))
    }

    mutating func material(_ index: Int) -> String {
        let material = scene.materials[index]
        var content = ""
        if let effect = material.effectID {
            let group = group(effect)
            let settings = Material.Property.allCases.filter { isSet($0, in: group) }
                .filter { material.properties[$0] != group.first?.properties[$0] }
                .compactMap { property in
                    material.properties[property].map {
                        Markup.element("setparam", ["ref": Self.parameterSID(property)], Self.parameter($0))
                    }
                }
            content = Markup.element(
                "instance_effect",
                ["url": split.reference(to: effect, in: split.document(ofEffect: effect, in: scene), from: home)],
                settings.joined())
            if !inEffect.contains(index), var scope = scopes[effect] { content += extras(of: material, &scope) }
        }
        return Markup.element("material", ["id": material.id, "name": material.name], content)
    }

    // MARK: - Parameters

    /// Whether materials of an effect differ in a property, so that they must set it.
    private func isSet(_ property: Material.Property, in group: [Material]) -> Bool {
        group.contains { $0.properties[property] != group.first?.properties[property] }
    }

    private static func parameterSID(_ property: Material.Property) -> String { "p." + property.rawValue }

    private static func parameter(_ value: Material.Value) -> String {
        switch value {
        case .color(let color): Markup.element("float4", [:], Markup.numbers(color.array))
        case .number(let number): Markup.element("float", [:], number.description)
        case .texture: ""
        }
    }

    /// How the materials' opacity is meant; `nil` where none need be written.
    private func opaque(_ group: [Material]) -> String? {
        let mode = group.first?.opacityMode
        return mode == .aOne ? nil : mode?.rawValue
    }

    // MARK: - Extras

    private func extras(of material: Material, _ scope: inout EffectScope) -> String {
        var known = ""
        switch material.sides {
        case nil: break
        case .single: known += Markup.element("double_sided", [:], "0")
        case .double: known += Markup.element("double_sided", [:], "1")
        }
        for detail in Material.Detail.allCases {
            guard let value = material.details[detail] else { continue }
            known += Markup.element(
                detail.element, ["bumptype": detail == .heights ? "HEIGHTFIELD" : nil], scope.write(value, sid: nil))
        }
        var text = known.isEmpty ? "" : Self.extra("FCOLLADA", known)
        for extra in material.extras {
            let content = extra.path.split(separator: "/").reversed().reduce(Markup.escaped(extra.text)) {
                Markup.element(String($1), [:], $0)
            }
            text += Self.extra(extra.profile, content)
        }
        return text
    }

    static func extra(_ profile: String?, _ content: String) -> String {
        Markup.element("extra", [:], Markup.element("technique", ["profile": profile], content))
    }
}

/// The samplers of one effect, each written once.
struct EffectScope {
    let version: ColladaVersion
    /// The addresses of the scene's images.
    let images: [String]
    private(set) var parameters = ""
    private var known: [Key: String] = [:]

    private struct Key: Hashable {
        let image: SceneIndex<Image>
        let sampler: Material.Texture.Sampler
    }

    init(version: ColladaVersion, images: [String]) {
        self.version = version
        self.images = images
    }

    mutating func write(_ value: Material.Value, sid: String?) -> String {
        switch value {
        case .color(let color): Markup.element("color", ["sid": sid], Markup.numbers(color.array))
        case .number(let number): Markup.element("float", ["sid": sid], number.description)
        case .texture(let texture):
            Markup.element(
                "texture", ["texture": sampler(of: texture), "texcoord": texture.texcoord], extras(of: texture))
        }
    }

    private mutating func sampler(of texture: Material.Texture) -> String {
        let key = Key(image: texture.image, sampler: texture.sampler)
        if let sid = known[key] { return sid }
        let sid = "sampler\(known.count)"
        known[key] = sid
        let image = images[texture.image.value]
        let source: String
        switch version {
        case .v14:
            parameters += Markup.element(
                "newparam", ["sid": sid + "-surface"],
                Markup.element("surface", ["type": "2D"], Markup.element("init_from", [:], String(image.dropFirst()))))
            source = Markup.element("source", [:], sid + "-surface")
        case .v15: source = Markup.element("instance_image", ["url": image])
        }
        parameters += Markup.element(
            "newparam", ["sid": sid], Markup.element("sampler2D", [:], source + states(texture.sampler)))
        return sid
    }

    private func states(_ sampler: Material.Texture.Sampler) -> String {
        let isOld = version == .v14
        let states: KeyValuePairs<String, String?> = [
            "wrap_s": sampler.wrapS?.rawValue, "wrap_t": sampler.wrapT?.rawValue, "wrap_p": sampler.wrapP?.rawValue,
            "minfilter": sampler.minFilter?.rawValue, "magfilter": sampler.magFilter?.rawValue,
            "mipfilter": sampler.mipFilter?.rawValue,
            "border_color": sampler.borderColor.map { Markup.numbers($0.array) },
            isOld ? "mipmap_maxlevel" : "mip_max_level": sampler.mipMaxLevel.map(String.init),
            "mip_min_level": sampler.mipMinLevel.map(String.init),
            isOld ? "mipmap_bias" : "mip_bias": sampler.mipBias.map(\.description),
            "max_anisotropy": sampler.maxAnisotropy.map(String.init),
        ]
        return states.map { name, value in value.map { Markup.element(name, [:], $0) } ?? "" }.joined()
    }

    private func extras(of texture: Material.Texture) -> String {
        var content = ""
        func add(_ name: String, _ value: Double?) {
            content += value.map { Markup.element(name, [:], $0.description) } ?? ""
        }
        add("amount", texture.amount)
        if let mode = texture.blendMode { content += Markup.element("blend_mode", [:], Markup.escaped(mode)) }
        if let transform = texture.transform {
            add("repeatU", transform.repetition.x)
            add("repeatV", transform.repetition.y)
            add("offsetU", transform.offset.x)
            add("offsetV", transform.offset.y)
            add("rotateUV", transform.rotation)
            add("coverageU", transform.coverage.x)
            add("coverageV", transform.coverage.y)
            add("translateFrameU", transform.frameTranslation.x)
            add("translateFrameV", transform.frameTranslation.y)
            add("rotateFrame", transform.frameRotation)
        }
        return content.isEmpty ? "" : ColladaWriter.extra("MAYA", content)
    }
}

extension Material.Detail {
    fileprivate var element: String {
        switch self {
        case .bump, .heights: "bump"
        case .normal: "normal"
        case .displacement: "displacement"
        case .ambientOcclusion: "ambient_occlusion"
        case .specularLevel: "spec_level"
        case .emissionLevel: "emission_level"
        case .multiply: "multiply"
        case .fresnelExponent: "fresnelExponent"
        }
    }
}
