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
    private struct TextureKey: Hashable {
        let image: Int
        let sampler: Int
    }

    private(set) var list: JSONList
    private(set) var textures: JSONList
    private(set) var samplers: JSONList
    private(set) var extensions: Set<String> = []

    private let scene: Scene
    private var pictures: SurfacePictures
    private var materials: [Key: Int] = [:]
    /// Into the materials; for faces that have none, but are seen from both sides.
    private var bothSides: Int?
    private var textureIndices: [TextureKey: Int] = [:]
    private var samplerIndices: [GLTFSampler: Int] = [:]

    init(
        _ prepared: PreparedScene, _ spool: TextSpool, _ source: ExportImages
    ) {
        scene = prepared.scene
        pictures = SurfacePictures(prepared, source)
        (list, textures) = (JSONList(spool), JSONList(spool))
        samplers = JSONList(spool)
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
        var (surface, picture) = try pictures.surface(
            of: index, sets: chosen, hasCoordinates: hasCoordinates, in: &buffer, &report)
        surface.isDoubleSided = isDoubleSided
        let object = try write(surface, picture, material, chosen, hasCoordinates, &buffer, &report)
        materials[key] = list.add(object)
        return list.count - 1
    }

    private mutating func write(
        _ surface: Surface, _ picture: Int?, _ material: Material, _ sets: [String: Int], _ hasCoordinates: Bool,
        _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> JSONObject {
        func info(_ map: Surface.Map?, _ picture: Int? = nil) throws(SceneExportError) -> JSONObject? {
            guard let map, hasCoordinates else { return nil }
            var picture = picture
            if picture == nil { picture = try pictures.image(map.texture.image, in: &buffer, &report) }
            guard let image = picture else { return nil }
            return textureInfo(
                map, image, isWebP: buffer.webPImages.contains(image), set: sets[map.texture.texcoord] ?? 0, material,
                &report)
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

    private mutating func addTexture(_ image: Int, isWebP: Bool, sampler: Int) -> Int {
        var object = JSONObject()
        object.put("sampler", sampler)
        if isWebP {
            var extra = JSONObject()
            use("EXT_texture_webp", in: &extra) { $0.put("source", image) }
            object.put("extensions", extra)
        } else {
            object.put("source", image)
        }
        return textures.add(object)
    }

    private mutating func textureInfo(
        _ map: Surface.Map, _ image: Int, isWebP: Bool, set: Int, _ material: Material,
        _ report: inout FidelityReport
    ) -> JSONObject {
        let sampler = GLTFSampler(map.texture.sampler)
        if sampler.isApproximate { report.add(.approximated, .samplers, at: material.id ?? material.name) }
        let samplerIndex = samplerIndices[sampler] ?? samplers.add(sampler.object)
        samplerIndices[sampler] = samplerIndex
        let key = TextureKey(image: image, sampler: samplerIndex)
        let texture = textureIndices[key] ?? addTexture(image, isWebP: isWebP, sampler: samplerIndex)
        textureIndices[key] = texture
        var info = JSONObject()
        info.put("index", texture)
        if set > 0 { info.put("texCoord", set) }
        if let transform = map.texture.transform, !transform.isIdentity {
            var extra = JSONObject()
            let written = TextureTransform(transform, from: .topLeft)
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
}
