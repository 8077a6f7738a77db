import SceneModel

/// Writes materials with their textures, samplers and images; each once for each way that its textures find their
/// coordinates.
struct GLTFMaterials {
    private struct Key: Hashable {
        let material: Int
        /// Of each texture of the material, in the order of `Material.textures`; `nil` without coordinates: then they
        /// are left out.
        let sets: [Int]?
    }
    private struct TextureKey: Hashable {
        let image: Int
        let sampler: Int
    }

    private(set) var list: JSONList
    private(set) var textures = JSONList()
    private(set) var samplers = JSONList()
    private(set) var images = JSONList()
    private(set) var extensions: Set<String> = []

    private let scene: Scene
    private let source: ExportImages
    private let budget: ConversionBudget
    private var materials: [Key: Int] = [:]
    /// Whether each of the scene's materials was written before, in whatever way.
    private var isTold: [Bool]
    private var textureIndices: [TextureKey: Int] = [:]
    private var samplerIndices: [GLTFSampler: Int] = [:]
    /// By the scene's images; `nil` for one that cannot be written.
    private var imageIndices: [Int: Int?] = [:]

    init(_ scene: Scene, _ spool: TextSpool, _ source: ExportImages, _ budget: ConversionBudget) {
        list = JSONList(spool)
        self.scene = scene
        self.source = source
        self.budget = budget
        isTold = [Bool](repeating: false, count: scene.materials.count)
    }

    /// - Parameter sets: By place in the primitive's inputs, the set of texture coordinates that it became.
    mutating func material(
        _ index: SceneIndex<Material>, binding: MaterialBinding?, primitive: Mesh.Primitive, of mesh: Mesh,
        sets: [Int: Int], _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let material = scene.materials[index]
        var chosen: [String: Int] = [:]
        for texture in material.textures where chosen[texture.texcoord] == nil {
            let choice = binding?.texcoords(for: texture.texcoord, in: primitive, of: mesh)
            if choice?.rule.isGuess != false {
                report.add(.approximated, .textureCoordinates, at: material.id ?? material.name)
            }
            chosen[texture.texcoord] = choice.flatMap { sets[$0.input] } ?? 0
        }
        let hasCoordinates = !sets.isEmpty
        let chosenSets = material.textures.map { chosen[$0.texcoord] ?? 0 }
        let key = Key(material: index.value, sets: hasCoordinates || chosenSets.isEmpty ? chosenSets : nil)
        if let known = materials[key] { return known }
        // A material is told of once, however often it is written.
        var unheard = FidelityReport()
        let surface: Surface
        if isTold[index.value] {
            surface = Surface(material, source, &unheard)
        } else {
            surface = Surface(material, source, &report)
            isTold[index.value] = true
        }
        let object = try write(surface, material, chosen, hasCoordinates, &buffer, &report)
        materials[key] = list.add(object)
        return list.count - 1
    }

    private mutating func write(
        _ surface: Surface, _ material: Material, _ sets: [String: Int], _ hasCoordinates: Bool,
        _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> JSONObject {
        func info(_ map: Surface.Map?) throws(SceneExportError) -> JSONObject? {
            guard let map, hasCoordinates else { return nil }
            return try textureInfo(map, set: sets[map.texture.texcoord] ?? 0, material, &buffer, &report)
        }
        var shading = JSONObject()
        if surface.base != .one {
            shading.put(
                "baseColorFactor",
                [surface.base.x, surface.base.y, surface.base.z, surface.base.w].map { min(1, max(0, $0)) })
        }
        if let base = try info(surface.baseMap) { shading.put("baseColorTexture", base) }
        shading.put("metallicFactor", surface.metalness)
        shading.put("roughnessFactor", surface.roughness)
        var object = JSONObject()
        if let name = material.name ?? material.id { object.put("name", name) }
        object.put("pbrMetallicRoughness", shading)
        if var normal = try info(surface.normalMap) {
            if let strength = surface.normalMap?.strength, strength != 1 { normal.put("scale", strength) }
            object.put("normalTexture", normal)
        }
        if var occlusion = try info(surface.occlusionMap) {
            if let strength = surface.occlusionMap?.strength, strength != 1 {
                occlusion.put("strength", min(1, max(0, strength)))
            }
            object.put("occlusionTexture", occlusion)
        }
        let emissionMap = try info(surface.emissionMap)
        if let emissionMap { object.put("emissiveTexture", emissionMap) }
        // The factor is of the texture: without it, all would glow white.
        let emission = surface.emissionMap != nil && emissionMap == nil ? .zero : surface.emission
        var extra = JSONObject()
        if emission.max() > 0 {
            // Brighter than white is a factor on top.
            let strength = max(1, emission.max())
            object.put("emissiveFactor", [emission.x, emission.y, emission.z].map { $0 / strength })
            if strength > 1 {
                use("KHR_materials_emissive_strength", in: &extra) { $0.put("emissiveStrength", strength) }
            }
        }
        switch surface.alpha {
        case .opaque: break
        case .blend: object.put("alphaMode", "BLEND")
        }
        if surface.isDoubleSided { object.put("doubleSided", true) }
        if surface.isUnlit { use("KHR_materials_unlit", in: &extra) { _ in } }
        if !extra.isEmpty { object.put("extensions", extra) }
        var extras = JSONObject()
        if let id = material.id { extras.put("id", id) }
        if let effect = material.effectID { extras.put("effect", effect) }
        if !extras.isEmpty { object.put("extras", extras) }
        return object
    }

    private mutating func use(_ name: StaticString, in object: inout JSONObject, _ fill: (inout JSONObject) -> Void) {
        extensions.insert("\(name)")
        object.put(name, JSONObject(fill))
    }

    // MARK: - Textures

    private mutating func textureInfo(
        _ map: Surface.Map, set: Int, _ material: Material, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> JSONObject? {
        guard let image = try image(map.texture.image, &buffer, &report) else { return nil }
        let sampler = GLTFSampler(map.texture.sampler)
        if sampler.isApproximate { report.add(.approximated, .samplers, at: material.id ?? material.name) }
        let samplerIndex = samplerIndices[sampler] ?? samplers.add(sampler.object)
        samplerIndices[sampler] = samplerIndex
        let key = TextureKey(image: image, sampler: samplerIndex)
        let texture =
            textureIndices[key]
            ?? textures.add(
                JSONObject { object in
                    object.put("sampler", samplerIndex)
                    object.put("source", image)
                })
        textureIndices[key] = texture
        var info = JSONObject()
        info.put("index", texture)
        if set > 0 { info.put("texCoord", set) }
        if let transform = map.texture.transform, !transform.isIdentity {
            var extra = JSONObject()
            use("KHR_texture_transform", in: &extra) { object in
                let (scale, offset) = (transform.repetition, transform.offset)
                // Coordinates run down there: v′ = 1 − (scale × (1 − v) + offset).
                object.put("offset", [offset.x, 1 - scale.y - offset.y])
                object.put("scale", [scale.x, scale.y])
            }
            info.put("extensions", extra)
            if !transform.isStraight { report.add(.approximated, .textures, at: material.id ?? material.name) }
        }
        return info
    }

    private mutating func image(
        _ index: SceneIndex<Image>, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int? {
        if let known = imageIndices[index.value] { return known }
        let image = scene.images[index]
        let place = image.id ?? image.name
        let bytes: [UInt8]
        let type: String
        let content = source.content(index)
        try budget.check()
        switch content {
        case .png(let content): (bytes, type) = (content, "image/png")
        case .jpeg(let content): (bytes, type) = (content, "image/jpeg")
        case .converted(let content, from: _):
            (bytes, type) = (content, "image/png")
            report.add(.approximated, .images, at: place)
        case .same(let other):
            let known = try self.image(other, &buffer, &report)
            imageIndices[index.value] = known
            return known
        case .unavailable:
            report.add(.dropped, .images, at: place)
            imageIndices[index.value] = .some(nil)
            return nil
        }
        let view = try buffer.add(file: bytes)
        let made = images.add(
            JSONObject { object in
                if let name = image.name ?? image.id { object.put("name", name) }
                object.put("mimeType", type)
                object.put("bufferView", view)
            })
        imageIndices[index.value] = made
        return made
    }
}

extension Material.Texture.UVTransform {
    /// Whether it only repeats and moves.
    fileprivate var isStraight: Bool {
        rotation == 0 && coverage == [1, 1] && frameTranslation == [0, 0] && frameRotation == 0
    }
}
