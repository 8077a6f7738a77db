import DaeCore
import DaeMesh
import DaeScene

/// Writes materials with their textures, samplers and images; each once for each way that its textures find their
/// coordinates.
struct GLTFMaterials {
    private struct Key: Hashable {
        let material: Int
        /// Of each texture of the material, in the order of `Material.textures`; `nil` without coordinates: then they
        /// are left out.
        let sets: [Int]?
        let isDoubleSided: Bool  // as the format has it
    }
    /// A picture that is put together.
    private struct MergeKey: Hashable {
        /// Into the scene's images; `nil` for white.
        let colors: Int?
        let opacity: Int
        let channel: Opacity.Map.Channel
        let sense: Opacity.Map.Sense
        let factor: Double
    }
    private struct TextureKey: Hashable {
        let image: Int
        let sampler: Int
    }

    private(set) var list: JSONList
    private(set) var textures: JSONList
    private(set) var samplers: JSONList
    private(set) var images: JSONList
    private(set) var extensions: Set<String> = []

    private let scene: Scene
    private let source: ExportImages
    private var around: Surface.Surroundings
    private let budget: ConversionBudget
    private var materials: [Key: Int] = [:]
    /// Into the materials; for faces that have none, but are seen from both sides.
    private var bothSides: Int?
    /// Whether each of the scene's materials was written before, in whatever way.
    private var isNoted: [Bool]
    private var textureIndices: [TextureKey: Int] = [:]
    private var samplerIndices: [GLTFSampler: Int] = [:]
    /// By the scene's images; `nil` for one that cannot be written.
    private var imageIndices: [Int: Int?] = [:]
    /// Images by their bytes.
    private var contents: [SHA256Digest: Int] = [:]
    /// Where images are written; `nil` for the buffer.
    private(set) var files: TextureFiles?
    private var mergings: [MergeKey: Merging] = [:]
    /// Images that were reported to be missing.
    private var lost: Set<SceneIndex<Image>> = []
    private let isCancelled: () -> Bool

    init(
        _ prepared: PreparedScene, _ spool: TextSpool, _ source: ExportImages, to files: TextureFiles?
    ) {
        self.files = files
        isCancelled = prepared.isCancelled
        scene = prepared.scene
        around = Surface.Surroundings(scene, source, prepared.options.invisibleSurfaces)
        (list, textures) = (JSONList(spool), JSONList(spool))
        (samplers, images) = (JSONList(spool), JSONList(spool))
        self.source = source
        budget = prepared.budget
        isNoted = [Bool](repeating: false, count: scene.materials.count)
    }

    /// The look of faces that have no material; `nil` for the format's own.
    mutating func material(sides: Material.Sides?) -> Int? {
        guard sides == .double else { return nil }
        let index = bothSides ?? list.add(JSONObject { $0.put("doubleSided", true) })
        bothSides = index
        return index
    }

    /// - Parameters:
    ///   - sets: By place in the primitive's inputs, the set of texture coordinates that it became.
    ///   - sides: What the mesh says of its own.
    mutating func material(
        _ index: SceneIndex<Material>, binding: MaterialBinding?, primitive: Mesh.Primitive, of mesh: Mesh,
        sets: [Int: Int], sides: Material.Sides?, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let material = scene.materials[index]
        let found = TexcoordSets(of: material, binding, primitive, of: mesh, sets: sets, &report)
        let chosen = found.chosen
        let hasCoordinates = !sets.isEmpty
        let chosenSets = material.textures.map { chosen[$0.texcoord] ?? 0 }
        let isDoubleSided = sides == .double || material.sides == .double
        let key = Key(
            material: index.value, sets: hasCoordinates || chosenSets.isEmpty ? chosenSets : nil,
            isDoubleSided: isDoubleSided)
        if let known = materials[key] { return known }
        around.sets = chosen
        var noted = FidelityReport()
        var surface = Surface(material, around, &noted)
        let picture = try settleOpacity(of: &surface, material, hasCoordinates, &buffer, &noted, &report)
        // A material is reported about once, however often it is written.
        if !isNoted[index.value] { report.add(noted) }
        isNoted[index.value] = true
        surface.isDoubleSided = isDoubleSided
        let object = try write(surface, picture, material, chosen, hasCoordinates, &buffer, &report)
        materials[key] = list.add(object)
        return list.count - 1
    }

    /// Puts an opacity into its base's picture, or sees to it that the picture which has it is there.
    ///
    /// - Parameter reported: Of the material; what is reported about images goes to the other report.
    /// - Returns: The picture that was put together, into the images.
    private mutating func settleOpacity(
        of surface: inout Surface, _ material: Material, _ hasCoordinates: Bool, _ buffer: inout GLTFBuffer,
        _ noted: inout FidelityReport, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int? {
        switch surface.opacitySource {
        case .number: return nil
        case .base:
            var isThere = false
            if hasCoordinates, let map = surface.baseMap {
                isThere = try image(map.texture.image, &buffer, &report) != nil
            }
            if !isThere { surface.loseOpacity(material, &noted) }
            return nil
        case .apart(let map):
            guard hasCoordinates else {
                surface.loseOpacity(material, &noted)
                return nil
            }
            switch try merged(map, with: surface.baseMap?.texture.image, &buffer, &report) {
            case .picture(let picture):
                surface.takeMerged(map, material, around, &noted)
                return picture
            case .nothing(let missing):
                if surface.baseMap == nil, map.isAlphaItself,
                    try image(map.texture.image, &buffer, &report) != nil
                {
                    surface.takeAlone(map, material, around, &noted)
                } else {
                    surface.loseOpacity(material, &noted)
                    if let missing { lose(missing, &report) }
                }
                return nil
            }
        }
    }

    /// What came of putting two pictures together.
    private enum Merging {
        /// Into the images.
        case picture(Int)
        /// The image that it failed for, where it was one of them.
        case nothing(SceneIndex<Image>?)
    }

    private mutating func merged(
        _ map: Opacity.Map, with colors: SceneIndex<Image>?, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Merging {
        let colors = colors.map { around.files.first(of: $0) }
        let mask = around.files.first(of: map.texture.image)
        let key = MergeKey(
            colors: colors?.value, opacity: mask.value, channel: map.channel, sense: map.sense, factor: map.factor)
        if let known = mergings[key] { return known }
        let merged = source.merged(colors, map, isCancelled)
        try budget.check()
        if isCancelled() { throw SceneExportError.stopped }
        let merging: Merging =
            switch merged {
            case .png(let bytes): .picture(try add(bytes, .png, of: colors ?? mask, &buffer, &report))
            case .unavailable(let image): .nothing(around.files.first(of: image))
            case .none: .nothing(nil)
            }
        mergings[key] = merging
        return merging
    }

    /// Tells once of an image that is not there.
    private mutating func lose(_ image: SceneIndex<Image>, _ report: inout FidelityReport) {
        guard lost.insert(image).inserted else { return }
        report.add(.dropped, .images, at: scene.images[image].id ?? scene.images[image].name)
    }

    private mutating func write(
        _ surface: Surface, _ picture: Int?, _ material: Material, _ sets: [String: Int], _ hasCoordinates: Bool,
        _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> JSONObject {
        func info(_ map: Surface.Map?, _ picture: Int? = nil) throws(SceneExportError) -> JSONObject? {
            guard let map, hasCoordinates else { return nil }
            var picture = picture
            if picture == nil { picture = try image(map.texture.image, &buffer, &report) }
            guard let image = picture else { return nil }
            return textureInfo(map, image, set: sets[map.texture.texcoord] ?? 0, material, &report)
        }
        var shading = JSONObject()
        if surface.base != .one {
            shading.put(
                "baseColorFactor",
                [surface.base.x, surface.base.y, surface.base.z, surface.base.w].map { min(1, max(0, $0)) })
        }
        if let base = try info(surface.baseMap, picture) { shading.put("baseColorTexture", base) }
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
        _ map: Surface.Map, _ image: Int, set: Int, _ material: Material, _ report: inout FidelityReport
    ) -> JSONObject {
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
            let written = GLTFTextureTransform(transform)
            use("KHR_texture_transform", in: &extra) { object in
                object.put("offset", [written.offset.x, written.offset.y])
                if written.rotation != 0 { object.put("rotation", written.rotation) }
                object.put("scale", [written.scale.x, written.scale.y])
            }
            info.put("extensions", extra)
            if !written.isExact { report.add(.approximated, .textureTurns, at: material.id ?? material.name) }
        }
        return info
    }

    private mutating func image(
        _ index: SceneIndex<Image>, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int? {
        let index = around.files.first(of: index)
        if let known = imageIndices[index.value] { return known }
        let written = source.written(index, of: scene, &report)
        try budget.check()
        let made: Int?
        switch written {
        case .file(let bytes, let type): made = try add(bytes, type, of: index, &buffer, &report)
        case .same(let other): made = try self.image(other, &buffer, &report)
        case .nothing:
            lose(index, &report)
            made = nil
        }
        imageIndices[index.value] = .some(made)
        return made
    }

    /// Writes the file of an image, unless the same bytes were written before.
    private mutating func add(
        _ bytes: [UInt8], _ type: ImageType, of index: SceneIndex<Image>, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let image = scene.images[index]
        let digest = SHA256Digest(hashing: bytes)
        if let known = contents[digest] {
            report.add(.merged, .images, at: image.id ?? image.name)
            return known
        }
        var object = JSONObject()
        if let name = image.name ?? image.id { object.put("name", name) }
        object.put("mimeType", type.rawValue)
        if let file = try files?.add(bytes, type, of: image, file: source.file(index)) {
            object.put("uri", file)
        } else {
            object.put("bufferView", try buffer.add(file: bytes))
        }
        let made = images.add(object)
        contents[digest] = made
        return made
    }
}
