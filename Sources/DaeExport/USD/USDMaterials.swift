import DaeCore
import DaeMesh
import DaeScene

/// Writes materials as networks of UsdPreviewSurface; each once for each way that its textures find their coordinates.
struct USDMaterials {
    private struct Key: Hashable {
        let material: Int
        /// Of each texture of the material; `nil` without coordinates.
        let sets: [Int]?
        /// Whether the mesh has colours of its own, which are multiplied with the base.
        let isColored: Bool
    }
    private struct Texture {
        /// Into the package's images.
        let picture: Int
        let map: Surface.Map
    }
    /// What is to be written.
    private struct Entry {
        let path: CrateWriter.Path
        let name: String
        let material: SceneIndex<Material>
        let surface: Surface
        let base: Texture?
        let normal: Texture?
        let occlusion: Texture?
        let emission: Texture?
        /// Whether the base is the mesh's colours.
        let showsColors: Bool
    }

    private let scene: Scene
    private var pictures: SurfacePictures
    private var entries: [Entry] = []
    private var known: [Key: Int] = [:]
    private var names = USDNames()

    var count: Int { entries.count }

    init(_ prepared: PreparedScene, _ source: ExportImages) {
        scene = prepared.scene
        pictures = SurfacePictures(prepared, source)
    }

    /// - Parameter isColored: Whether the mesh has colours of its own.
    /// - Returns: The prim.
    mutating func material(
        _ index: SceneIndex<Material>, _ binding: MaterialBinding?, _ primitive: Mesh.Primitive, of mesh: Mesh,
        isColored: Bool, _ out: inout USDOutput
    ) throws(SceneExportError) -> CrateWriter.Path {
        let material = scene.materials[index]
        let sets = primitive.texcoordSets(in: mesh)
        let chosen = TexcoordSets(of: material, binding, primitive, of: mesh, sets: sets, &out.report).chosen
        let hasCoordinates = !sets.isEmpty
        let chosenSets = material.textures.map { chosen[$0.texcoord] ?? 0 }
        let key = Key(
            material: index.value, sets: hasCoordinates || chosenSets.isEmpty ? chosenSets : nil, isColored: isColored)
        if let place = known[key] { return entries[place].path }
        let (surface, picture) = try pictures.surface(
            of: index, sets: chosen, hasCoordinates: hasCoordinates, in: &out.package, &out.report)
        let place = material.id ?? material.name
        func texture(_ map: Surface.Map?, _ picture: Int? = nil) throws(SceneExportError) -> Texture? {
            guard let map, hasCoordinates else { return nil }
            var found = picture
            if found == nil { found = try pictures.image(map.texture.image, in: &out.package, &out.report) }
            if !map.texture.sampler.isExactInUSD { out.report.add(.approximated, .samplers, at: place) }
            if let transform = map.texture.transform, !TextureTransform(transform, from: .bottomLeft).isExact {
                out.report.add(.approximated, .textureTurns, at: place)
            }
            return found.map { Texture(picture: $0, map: map) }
        }
        let base = try texture(surface.baseMap, picture)
        if isColored, base != nil || surface.base.rgb != .one { out.report.add(.dropped, .vertexColors, at: place) }
        if surface.isUnlit { out.report.add(.approximated, .shading, at: place) }
        let name = names.unique(USDNames.identifier(material.name ?? material.id, or: "material"))
        let path = out.crate.declare(name, in: out.scopes.materials)
        entries.append(
            Entry(
                path: path, name: name, material: index, surface: surface, base: base,
                normal: try texture(surface.normalMap), occlusion: try texture(surface.occlusionMap),
                emission: try texture(surface.emissionMap), showsColors: isColored && base == nil))
        known[key] = entries.count - 1
        return path
    }

    // MARK: - Prims

    func write(_ out: inout USDOutput) throws(SceneExportError) {
        guard !entries.isEmpty else { return }
        out.crate.begin(out.scopes.materials, "Scope")
        for entry in entries { try write(entry, out.package, &out.crate) }
        try out.crate.end()
    }

    private func write(
        _ entry: Entry, _ package: USDZPackage, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        let (material, surface) = (scene.materials[entry.material], entry.surface)
        crate.begin(entry.path, "Material")
        try crate.putNames(material.name ?? material.id, as: entry.name, id: material.id, sid: nil)
        // What glows without any light on it is the nearest to a surface without shading.
        let emission = surface.isUnlit ? surface.base.rgb : surface.emission
        let emissionMap = surface.isUnlit ? entry.base : entry.emission
        let isLost = !surface.isUnlit && surface.emissionMap != nil && emissionMap == nil
        let base = try put(
            entry.base, "base", factor: surface.base.clamped(lowerBound: .zero, upperBound: .one), space: "sRGB",
            package, &crate)
        let colors = entry.showsColors ? try put(reader: "displayColor", "float3", &crate) : nil
        let glow =
            surface.isUnlit
            ? base
            : try put(emissionMap, "emission", factor: SIMD4(emission, 1), space: "sRGB", package, &crate)
        let strength = entry.normal?.map.strength ?? 1
        let normal = try put(
            entry.normal, "normal", factor: SIMD4(2 * strength, 2 * strength, 2, 1),
            bias: SIMD4(-strength, -strength, -1, 0), space: "raw", package, &crate)
        let share = min(1, max(0, entry.occlusion?.map.strength ?? 1))
        let occlusion = try put(
            entry.occlusion, "occlusion", factor: SIMD4(repeating: share), bias: SIMD4(repeating: 1 - share),
            space: "raw", package, &crate)

        let shader = crate.begin("surface", "Shader")
        try crate.attribute("info:id", "token", crate.value(token: "UsdPreviewSurface"), .uniform)
        let shown = colors ?? base?.color
        if surface.isUnlit {
            try put("diffuseColor", .zero, nil, &crate)
            try put("emissiveColor", emission, shown, &crate)
        } else {
            try put("diffuseColor", surface.base.rgb.clamped(lowerBound: .zero, upperBound: .one), shown, &crate)
            if !isLost, emission.max() > 0 { try put("emissiveColor", emission, glow?.color, &crate) }
        }
        try crate.attribute("inputs:useSpecularWorkflow", "int", CrateValue(Int32(0)))
        try crate.attribute("inputs:metallic", "float", CrateValue(Float(surface.metalness)))
        try crate.attribute("inputs:roughness", "float", CrateValue(Float(surface.roughness)))
        switch surface.alpha {
        case .opaque: break
        case .blend:
            if surface.opacitySource == .base, let base {
                try crate.attribute("inputs:opacity", "float", nil, .connection(base.alpha))
            } else {
                try crate.attribute("inputs:opacity", "float", CrateValue(Float(min(1, max(0, surface.base.w)))))
            }
        }
        if let normal { try crate.attribute("inputs:normal", "normal3f", nil, .connection(normal.color)) }
        if let occlusion { try crate.attribute("inputs:occlusion", "float", nil, .connection(occlusion.red)) }
        let output = try crate.attribute("outputs:surface", "token", nil)
        try crate.end()
        _ = shader
        try crate.attribute("outputs:surface", "token", nil, .connection(output))
        try crate.end()
    }

    private func put(
        _ input: String, _ color: SIMD3<Double>, _ source: CrateWriter.Path?, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        if let source {
            try crate.attribute("inputs:" + input, "color3f", nil, .connection(source))
        } else {
            let numbers = [Float(color.x), Float(color.y), Float(color.z)]
            try crate.attribute("inputs:" + input, "color3f", try crate.value(.float3, numbers))
        }
    }

    /// What a texture gives.
    private struct Outputs {
        let color: CrateWriter.Path
        let red: CrateWriter.Path
        let alpha: CrateWriter.Path
    }

    /// Something that reads numbers of the mesh.
    private func put(
        reader name: String, _ type: String, _ crate: inout CrateWriter
    ) throws(SceneExportError) -> CrateWriter.Path {
        _ = crate.begin("read_" + name, "Shader")
        try crate.attribute("info:id", "token", crate.value(token: "UsdPrimvarReader_" + type), .uniform)
        try crate.attribute("inputs:varname", "string", crate.value(string: name))
        let output = try crate.attribute("outputs:result", type, nil)
        try crate.end()
        return output
    }

    private func put(
        _ texture: Texture?, _ name: String, factor: SIMD4<Double>, bias: SIMD4<Double> = .zero, space: String,
        _ package: USDZPackage, _ crate: inout CrateWriter
    ) throws(SceneExportError) -> Outputs? {
        guard let texture else { return nil }
        _ = crate.begin(name + "_place", "Shader")
        try crate.attribute("info:id", "token", crate.value(token: "UsdPrimvarReader_float2"), .uniform)
        try crate.attribute("inputs:varname", "string", crate.value(string: USDMeshes.coordinates(texture.map.set)))
        var place = try crate.attribute("outputs:result", "float2", nil)
        try crate.end()
        if let transform = texture.map.texture.transform, !transform.isIdentity {
            let moved = TextureTransform(transform, from: .bottomLeft)
            _ = crate.begin(name + "_transform", "Shader")
            try crate.attribute("info:id", "token", crate.value(token: "UsdTransform2d"), .uniform)
            try crate.attribute("inputs:in", "float2", nil, .connection(place))
            try crate.attribute("inputs:rotation", "float", CrateValue(Float(-moved.rotation * 180 / .pi)))
            for (input, pair) in [("scale", moved.scale), ("translation", moved.offset)] {
                let numbers = [Float(pair.x), Float(pair.y)]
                try crate.attribute("inputs:" + input, "float2", try crate.value(.float2, numbers))
            }
            place = try crate.attribute("outputs:result", "float2", nil)
            try crate.end()
        }
        _ = crate.begin(name + "_texture", "Shader")
        try crate.attribute("info:id", "token", crate.value(token: "UsdUVTexture"), .uniform)
        try crate.attribute("inputs:file", "asset", crate.value(asset: package.name(of: texture.picture)))
        try crate.attribute("inputs:sourceColorSpace", "token", crate.value(token: space))
        try crate.attribute("inputs:st", "float2", nil, .connection(place))
        let sampler = texture.map.texture.sampler
        try crate.attribute("inputs:wrapS", "token", crate.value(token: sampler.wrapS.usdName))
        try crate.attribute("inputs:wrapT", "token", crate.value(token: sampler.wrapT.usdName))
        for (input, numbers, usual) in [("scale", factor, SIMD4<Double>.one), ("bias", bias, .zero)]
        where numbers != usual {
            let list = (0..<4).map { Float(numbers[$0]) }
            try crate.attribute("inputs:" + input, "float4", try crate.value(.float4, list))
        }
        let color = try crate.attribute("outputs:rgb", "float3", nil)
        let red = try crate.attribute("outputs:r", "float", nil)
        let alpha = try crate.attribute("outputs:a", "float", nil)
        try crate.end()
        return Outputs(color: color, red: red, alpha: alpha)
    }
}

extension SIMD4<Double> {
    fileprivate var rgb: SIMD3<Double> { SIMD3(x, y, z) }
}

extension Material.Texture.Wrap? {
    fileprivate var usdName: String {
        switch self {
        case .some(.wrap), nil: "repeat"
        case .some(.mirror), .some(.mirrorOnce): "mirror"
        case .some(.clamp): "clamp"
        case .some(.none), .some(.border): "black"
        }
    }
}

extension Material.Texture.Sampler {
    /// Whether the format has all that it says: it always filters, and knows one colour of a border.
    fileprivate var isExactInUSD: Bool {
        let wraps = [wrapS, wrapT].allSatisfy { wrap in
            switch wrap {
            case .wrap, .mirror, .clamp, nil: true
            case .border, .some(.none): borderColor.map { $0 == .zero } ?? true
            case .mirrorOnce: false
            }
        }
        let filters = [minFilter, magFilter].allSatisfy { filter in
            switch filter {
            case .nearest, .nearestMipmapNearest, .nearestMipmapLinear: false
            case .some(.none), .linear, .anisotropic, .linearMipmapNearest, .linearMipmapLinear, nil: true
            }
        }
        return wraps && filters && mipBias.map { $0 != 0 } != true && mipMinLevel.map { $0 > 0 } != true
    }
}
