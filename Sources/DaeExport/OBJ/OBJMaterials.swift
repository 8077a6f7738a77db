import DaeCore
import DaeMesh
import DaeScene

/// Writes the materials of an OBJ as a `.mtl`, and their textures beside it.
///
/// They are of COLLADA's own model of light, so that most of it stays; what is transparent, glows or is textured is as
/// ``Surface`` has it.
/// - Source: Wavefront, "MTL material format", with `Ke` and `map_Ke` as most programs write them.
struct OBJMaterials {
    /// Of the `.mtl`; `nil` where no part has a material.
    private(set) var fileName: String?
    private(set) var bytes = 0
    private(set) var count = 0
    private(set) var imageCount = 0

    private let scene: BakedScene
    private let images: ExportImages
    private let files: ImageFiles
    private let path: String
    private var textures: TextureFiles
    private var text = ""
    /// Names of textures by image; `nil` for one that cannot be written.
    private var written: [Int: String?] = [:]
    private var names = UniqueNames(isCaseSensitive: true)

    init(_ scene: BakedScene, _ images: ExportImages, beside path: String, _ own: String) {
        self.scene = scene
        self.images = images
        files = ImageFiles(scene.scene, images)
        self.path = own
        textures = TextureFiles(beside: path, others: [path, own], scene.budget)
    }

    /// Makes all of them.
    ///
    /// - Returns: The name of each surface of the drawing, and behind them that of parts without one.
    mutating func write(_ report: inout FidelityReport) throws(SceneExportError) -> [String] {
        let surfaces = scene.drawing.surfaces
        guard !surfaces.isEmpty else { return [] }
        fileName = path.split(separator: "/").last.map(String.init)
        var result: [String] = []
        // A material is one however its textures find their coordinates: each part has those that its texture wants.
        var known: [SceneIndex<Material>: String] = [:]
        for surface in surfaces {
            let index = surface.material
            if let name = index.flatMap({ known[$0] }) {
                result.append(name)
                continue
            }
            let material = index.map { scene.scene.materials[$0] }
            let name = names.unique(OBJName.word(material?.name ?? material?.id ?? "material"))
            if let index { known[index] = name }
            result.append(name)
            try write(surface, material, name, &report)
        }
        let plain = names.unique("none")
        text += "\nnewmtl \(plain)\nKd 1 1 1\nillum 1\n"
        return result + [plain]
    }

    /// Files to be put into place together with the export.
    mutating func finish() throws(SceneExportError) -> [ExportFile] {
        guard fileName != nil else { return [] }
        let file = try ExportFile(path)
        let content = Array("# \(scene.options.generator)\n\(text)".utf8)
        try scene.budget.write(content.count)
        try file.write(content)
        bytes = content.count + textures.bytes
        imageCount = textures.files.count
        return textures.files + [file]
    }

    private mutating func write(
        _ surface: Surface, _ material: Material?, _ name: String, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        count += 1
        text += "\nnewmtl \(name)\n"
        func color(_ property: Material.Property) -> SIMD3<Double>? {
            material?[property]?.color.map { SIMD3($0.x, $0.y, $0.z) }
        }
        let base = surface.base
        put("Kd", SIMD3(base.x, base.y, base.z).displayed)
        if let ambient = color(.ambient) { put("Ka", ambient) }
        let specular = surface.isUnlit ? nil : color(.specular)
        if let specular {
            put("Ks", specular)
            if let shininess = material?[.shininess]?.number { put("Ns", min(1000, max(0, shininess))) }
        }
        if let refraction = material?[.indexOfRefraction]?.number, refraction > 0 { put("Ni", refraction) }
        if surface.emission.max() > 0, surface.emissionMap == nil { put("Ke", surface.emission.displayed) }
        if base.w != 1 { put("d", base.w) }
        text += "illum \(surface.isUnlit ? 0 : specular == nil ? 1 : 2)\n"
        try put("map_Kd", surface.baseMap, material, &report)
        try put("map_Ke", surface.emissionMap, material, &report)
        try put("map_Bump", surface.normalMap, material, &report)
        if surface.occlusionMap != nil { report.add(.dropped, .textures, at: material?.id ?? material?.name) }
        switch surface.opacitySource {
        case .number: break
        case .base: try put("map_d", surface.baseMap, material, &report)
        case .apart(let map):
            // What of the picture is the opacity each program decides by itself.
            report.add(.approximated, .opacity, at: material?.id ?? material?.name)
            if let file = try texture(map.texture.image, &report) { text += "map_d \(file)\n" }
        }
    }

    private mutating func put(_ key: String, _ values: SIMD3<Double>) {
        text += "\(key) \(values.x.word) \(values.y.word) \(values.z.word)\n"
    }

    private mutating func put(_ key: String, _ value: Double) { text += "\(key) \(value.word)\n" }

    private mutating func put(
        _ key: String, _ map: Surface.Map?, _ material: Material?, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        guard let map, let file = try texture(map.texture.image, &report) else { return }
        let place = material?.id ?? material?.name
        if map.texture.transform.map({ !$0.isIdentity }) ?? false { report.add(.dropped, .textureTurns, at: place) }
        if [map.texture.sampler.wrapS, map.texture.sampler.wrapT].contains(where: { $0 != nil && $0 != .wrap }) {
            report.add(.dropped, .samplers, at: place)
        }
        text += "\(key) \(file)\n"
    }

    private mutating func texture(
        _ image: SceneIndex<Image>, _ report: inout FidelityReport
    ) throws(SceneExportError) -> String? {
        let index = files.first(of: image)
        if let known = written[index.value] { return known }
        let name: String?
        switch images.written(index, of: scene.scene, &report) {
        case .file(let bytes, let type):
            name = try textures.add(bytes, type, of: scene.scene.images[index], file: images.file(index))
        case .same(let other): name = try texture(other, &report)
        case .nothing:
            let lost = scene.scene.images[index]
            report.add(.dropped, .images, at: lost.id ?? lost.name)
            name = nil
        }
        try scene.budget.check()
        written[index.value] = .some(name)
        return name
    }
}

/// Names as readers take them.
enum OBJName {
    /// One word: many readers end a name at its first space.
    static func word(_ name: String) -> String {
        let clean = name.withoutControls.map { $0.isWhitespace || "#\\".contains($0) ? "_" : $0 }
        return clean.isEmpty ? "_" : String(clean)
    }
}

extension SIMD3<Double> {
    /// As a display shows it, within 0 to 1.
    fileprivate var displayed: Self {
        var color = self
        for lane in 0..<3 { color[lane] = Swift.min(1, Swift.max(0, color[lane])).sRGBFromLinear }
        return color
    }
}

extension Double {
    /// Its value to six digits behind the point; what is no number is 0.
    fileprivate var word: String {
        guard isFinite, magnitude < 1e9 else { return "0" }
        let rounded = (self * 1e6).rounded() / 1e6
        return Int32(exactly: rounded).map { String($0) } ?? "\(rounded)"
    }
}
