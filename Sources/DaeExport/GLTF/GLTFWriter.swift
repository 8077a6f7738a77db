import DaeCore
import DaeDiagnostics
import DaeMesh
import DaeScene

/// glTF 2.0: one `.glb`, or a `.gltf` with its `.bin` and textures.
///
/// - Source: Khronos glTF 2.0 specification; KHR_lights_punctual, KHR_materials_unlit, KHR_materials_emissive_strength,
///   KHR_texture_transform.
struct GLTFFormat: SceneWriter {
    enum Container {
        /// One file, `.glb`.
        case binary
        /// A text, `.gltf`, and beside it a file of the same name that ends in `.bin`, and the textures.
        case text
    }
    let container: Container

    var conventions: ExportConventions { ExportConventions(imageOrigin: .topLeft, colors: .linear, curves: .cubic) }

    func files(of path: String) -> [String] {
        switch container {
        case .binary: [path]
        case .text: [path, Self.binaryPath(of: path)]
        }
    }

    /// Where the numbers of a text are written: `a/b.gltf` has `a/b.bin`.
    static func binaryPath(of path: String) -> String {
        let ending = ".gltf"
        return (path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path) + ".bin"
    }

    func write(
        _ scene: consuming PreparedScene, to target: ExportTarget, _ images: ExportImages,
        _ report: inout FidelityReport
    ) throws(SceneExportError) {
        var writer = try GLTFWriter(scene, to: target, in: container, images)
        try writer.write(&report)
    }
}

/// Puts a file together: numbers go to a file of their own as they are made, and behind the text at the end.
struct GLTFWriter {
    private var prepared: PreparedScene
    private let scene: Scene
    private let container: GLTFFormat.Container
    private let target: ExportTarget
    private let numbers: ExportFile
    private let spool: TextSpool
    private var buffer: GLTFBuffer
    private var meshes: GLTFMeshes
    private var materials: GLTFMaterials
    private var skins: GLTFSkins
    private var optics: GLTFOptics
    private var animations: GLTFAnimations
    /// Of the nodes of the tree that show a light, how far it is from the middle of what is drawn.
    private let lightDistances: [Int: Double]
    /// Of the nodes of the tree that show one.
    private var boundSkins: [Int: BoundSkin] = [:]
    /// Nodes of the tree that show morphs, by the controller that they show.
    private var weighted: [SceneIndex<Controller>: [Int]] = [:]

    private struct BoundSkin {
        let index: Int
        /// As ``PreparedSkin/turned`` has it.
        let turned: [Bool]
    }

    init(
        _ prepared: PreparedScene, to target: ExportTarget, in container: GLTFFormat.Container,
        _ images: ExportImages
    ) throws(SceneExportError) {
        scene = prepared.scene
        self.container = container
        self.target = target
        let path = target.path
        let limit: Int
        let textures: TextureFiles?
        switch container {
        case .binary:
            textures = nil
            limit = max(0, min(prepared.options.byteLimit, Int(UInt32.max)))
            numbers = try ExportFile(unnamedBeside: path)
        case .text:
            limit = Int.max / 2
            let others = [path, GLTFFormat.binaryPath(of: path)]
            textures = TextureFiles(beside: path, others: others, prepared.budget)
            numbers = try ExportFile(GLTFFormat.binaryPath(of: path))
        }
        spool = TextSpool(beside: path, prepared.budget)
        let compactor = try GLTFCompactor(prepared.options.compaction)
        let optimizer = compactor.flatMap { $0.compresses ? $0.optimizer : nil }
        buffer = GLTFBuffer(
            numbers, textures: textures, spool, limit: limit, prepared.budget, compressing: optimizer)
        meshes = GLTFMeshes(scene, spool, compactor)
        materials = GLTFMaterials(prepared, spool, images)
        skins = GLTFSkins(scene, spool)
        // Of a scene that was read they are in its own system, whatever stands below its root.
        optics = GLTFOptics(scene, spool, scale: scene.coordinateSystem.scale(to: prepared.system))
        animations = GLTFAnimations(spool, prepared.budget, compactor, size: prepared.size)
        lightDistances = PhysicalLight.distances(of: prepared)
        self.prepared = prepared
    }

    mutating func write(_ report: inout FidelityReport) throws(SceneExportError) {
        try bindSkins(&report)
        try placeGrids(&report)
        var nodes = JSONList(spool)
        for place in prepared.tree.nodes.indices {
            try prepared.checkCancelled()
            if let failure = spool.failure { throw failure }
            nodes.add(try object(of: prepared.tree.nodes[place], at: place, &report))
        }
        guard nodes.count > 0 else {
            throw SceneExportError(.convertNothingDrawable, "the scene has no node; expected one at least")
        }
        var motions = PreparedAnimations(prepared)
        try animations.write(&motions, weighted: nodesByMorphs, &buffer, &report)
        try prepared.budget.check()
        prepared.noteTheRest(&report)
        try prepared.checkLosses(report)
        let text = text(nodes, roots: prepared.tree.roots)
        report.contents.nodes = nodes.count
        if let failure = spool.failure { throw failure }
        try prepared.checkCancelled()
        switch container {
        case .binary: try writeBinary(text, &report)
        case .text: try writeText(text, &report)
        }
        noteContents(&report)
    }

    private func noteContents(_ report: inout FidelityReport) {
        report.contents.meshes = meshes.list.count
        report.contents.primitives = meshes.primitiveCount
        report.contents.materials = materials.list.count
        report.contents.images = buffer.images.count
        report.contents.skins = skins.list.count
        report.contents.animations = animations.list.count
        report.contents.cameras = optics.cameras.count
        report.contents.lights = optics.lights.count
    }

    // MARK: - Nodes

    /// Before any node is written: a skin may need more of them.
    private mutating func bindSkins(_ report: inout FidelityReport) throws(SceneExportError) {
        guard prepared.hasSkins else { return }
        var rounded: [(mesh: GLTFMeshes.Entry, skin: PreparedSkin, instance: Instance)] = []
        for place in prepared.tree.nodes.indices {
            try prepared.checkCancelled()
            guard let skin = try prepared.skin(at: place, &report),
                let instance = prepared.instance(of: prepared.tree.nodes[place])
            else { continue }
            let turned = skin.turned
            guard
                let mesh = try meshes.mesh(
                    of: instance, turned: turned, in: prepared, materials: &materials, &buffer, &report)
            else { continue }
            let index = try skins.add(skin, of: mesh, to: &prepared, &buffer, &report)
            boundSkins[place] = BoundSkin(index: index, turned: turned)
            if mesh.error > 0 { rounded.append((mesh, skin, instance)) }
        }
        noteErrors(of: rounded, &report)
    }

    /// How far a rounded position may be off is what joints make of it.
    private func noteErrors(
        of rounded: [(mesh: GLTFMeshes.Entry, skin: PreparedSkin, instance: Instance)],
        _ report: inout FidelityReport
    ) {
        guard !rounded.isEmpty else { return }
        let joints = Set(rounded.flatMap { $0.skin.joints(usesBindShape: $0.mesh.usesBindShape) })
        let worlds = prepared.tree.worlds(of: joints, in: scene)
        for (mesh, skin, instance) in rounded {
            let pairs = zip(
                skin.joints(usesBindShape: mesh.usesBindShape), skin.inverseBinds(usesBindShape: mesh.usesBindShape))
            let scale = pairs.reduce(0.0) { max($0, ((worlds[$1.0] ?? .identity) * $1.1).largestScale) }
            note(mesh.error * scale, of: instance, &report)
        }
    }

    // MARK: - Grids

    /// Before any node is written: what takes whole numbers out of their grid is a node within the one that shows them. With
    /// a skin, its matrices do.
    private mutating func placeGrids(_ report: inout FidelityReport) throws(SceneExportError) {
        switch prepared.options.compaction {
        case .none: return
        case .quantized, .meshopt: break
        }
        let shown = prepared.tree.nodes.indices.filter { prepared.instance(of: prepared.tree.nodes[$0]) != nil }
        let worlds = prepared.tree.worlds(of: Set(shown), in: scene)
        for place in shown where boundSkins[place] == nil {
            try prepared.checkCancelled()
            guard let instance = prepared.instance(of: prepared.tree.nodes[place]),
                let mesh = try meshes.mesh(
                    of: instance, turned: [], in: prepared, materials: &materials, &buffer, &report),
                let grid = mesh.grid
            else { continue }
            try prepared.moveShown(of: place, into: grid.frame)
            note(mesh.error * (worlds[place] ?? .identity).largestScale, of: instance, &report)
        }
    }

    /// - Parameter error: Of positions, in the world.
    private func note(_ error: Double, of instance: Instance, _ report: inout FidelityReport) {
        let id: String?
        switch instance {
        case .geometry(let geometry, _): id = scene.geometries[geometry].id ?? scene.geometries[geometry].name
        case .controller(let controller, _, _): id = scene.controllers[controller].id
        case .camera, .light: id = nil
        }
        guard error > 0, error.isFinite else { return }
        let size = prepared.size * scene.unconverted.system.scale(to: prepared.system)
        let millimetres = error * prepared.system.metersPerUnit * 1000
        let text = "\(id ?? "a mesh") by \(millimetres.rounded(toDigits: 2)) mm"
        report.add(.approximated, .roundedPositions, at: text, deviation: size > 0 ? error / size : nil)
    }

    /// Nodes of the tree that show morphs, by the controllers that these are, innermost first.
    private var nodesByMorphs: [[SceneIndex<Controller>]: [Int]] {
        var nodes: [[SceneIndex<Controller>]: [Int]] = [:]
        for (controller, places) in weighted {
            if let morphs = MorphChain(scene, from: controller) { nodes[morphs.controllers, default: []] += places }
        }
        return nodes.mapValues { $0.sorted() }
    }

    private mutating func object(
        of node: PreparedNode, at place: Int, _ report: inout FidelityReport
    ) throws(SceneExportError) -> JSONObject {
        var object = JSONObject()
        let source = node.node.map { scene.nodes[$0] }
        if let name = source?.name ?? source?.id { object.put("name", name) }
        switch node.transform {
        case .identity: break
        case .own: if let source { object.put("matrix", source.matrix.settled.columnDoubles) }
        case .conversion: object.put("matrix", prepared.tree.conversion.columnDoubles)
        case .parts(let index): put(prepared.tree.parts[Int(index)], in: &object)
        }
        if node.hasChildren { object.put("children", prepared.tree.children(of: place)) }
        if let instance = prepared.instance(of: node) { try put(instance, in: &object, at: place, &report) }
        var extras = JSONObject()
        if let id = source?.id { extras.put("id", id) }
        if let sid = source?.sid { extras.put("sid", sid) }
        if !extras.isEmpty { object.put("extras", extras) }
        return object
    }

    private func put(_ parts: RigidScale, in object: inout JSONObject) {
        let (translation, rotation, scale) = (parts.translation, parts.rotation, parts.scale)
        if translation != .zero { object.put("translation", [translation.x, translation.y, translation.z]) }
        if rotation != [0, 0, 0, 1] { object.put("rotation", [rotation.x, rotation.y, rotation.z, rotation.w]) }
        if scale != .one { object.put("scale", [scale.x, scale.y, scale.z]) }
    }

    private mutating func put(
        _ instance: Instance, in object: inout JSONObject, at place: Int, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        switch instance {
        case .geometry, .controller:
            let skin = boundSkins[place]
            guard
                let mesh = try meshes.mesh(
                    of: instance, turned: skin?.turned ?? [], in: prepared, materials: &materials, &buffer, &report)
            else {
                if case .controller(let controller, skeleton: _, materials: _) = instance,
                    scene.controllers[controller].base == nil
                {
                    report.add(.dropped, .missingMeshes, at: scene.controllers[controller].id)
                }
                return
            }
            object.put("mesh", mesh.index)
            guard case .controller(let controller, skeleton: _, materials: _) = instance else { return }
            if mesh.morphTargets > 0 { weighted[controller, default: []].append(place) }
            if let skin { object.put("skin", skin.index) }
        case .camera(let camera):
            if let index = optics.camera(camera, &report) { object.put("camera", index) }
        case .light(let light):
            guard let index = optics.light(light, at: lightDistances[place] ?? 1, &report) else { return }
            object.put(
                "extensions",
                JSONObject { extensions in
                    extensions.put("KHR_lights_punctual", JSONObject { $0.put("light", index) })
                })
        }
    }

    // MARK: - Text

    private func text(_ nodes: JSONList, roots: [Int]) -> JSONText {
        var text = JSONText()
        text.put { root in
            root.put(
                "asset",
                JSONObject { asset in
                    if let copyright = scene.copyright { asset.put("copyright", copyright) }
                    asset.put("generator", prepared.options.generator)
                    asset.put("version", "2.0")
                })
            root.put("scene", 0)
            var scenes = JSONList()
            scenes.add(
                JSONObject { object in
                    if let name = scene.name ?? scene.id { object.put("name", name) }
                    object.put("nodes", roots)
                })
            root.put("scenes", scenes)
        }
        text.put("nodes", nodes)
        text.put("meshes", meshes.list)
        text.put("materials", materials.list)
        text.put("textures", materials.textures)
        text.put("samplers", materials.samplers)
        text.put("images", buffer.images)
        text.put("skins", skins.list)
        text.put("animations", animations.list)
        text.put("cameras", optics.cameras)
        text.put("accessors", buffer.accessors)
        text.put("bufferViews", buffer.views)
        text.put("lights", optics.lights, within: ["extensions", "KHR_lights_punctual"])
        text.put { root in
            // None may be empty.
            if buffer.count > 0 {
                var buffers = JSONList()
                buffers.add(
                    JSONObject { object in
                        if container == .text { object.put("uri", Self.binaryName(target.path)) }
                        object.put("byteLength", buffer.count)
                    })
                if buffer.fallbackCount > 0 {
                    buffers.add(
                        JSONObject { object in
                            object.put("byteLength", buffer.fallbackCount)
                            let fallback = JSONObject { $0.put("fallback", true) }
                            object.put("extensions", JSONObject { $0.put("EXT_meshopt_compression", fallback) })
                        })
                }
                root.put("buffers", buffers)
            }
            var used = materials.extensions
            if optics.lights.count > 0 {
                used.insert("KHR_lights_punctual")
            }
            var required: [String] = []
            if buffer.fallbackCount > 0 { required.append("EXT_meshopt_compression") }
            // Without it there would be no image: none is written twice.
            if !buffer.webPImages.isEmpty { required.append("EXT_texture_webp") }
            if buffer.isQuantized { required.append("KHR_mesh_quantization") }
            used.formUnion(required)
            if !used.isEmpty { root.put("extensionsUsed", used.sorted()) }
            if !required.isEmpty { root.put("extensionsRequired", required) }
        }
        return text
    }

    // MARK: - Files

    /// - Source: glTF 2.0, 4.4, "Binary glTF Layout".
    private mutating func writeBinary(_ text: JSONText, _ report: inout FidelityReport) throws(SceneExportError) {
        let size = text.size
        let padding = (4 - size % 4) % 4
        let length = 12 + 8 + size + padding + (buffer.count > 0 ? 8 + buffer.count : 0)
        guard length <= prepared.options.byteLimit, let whole = UInt32(exactly: length) else {
            let most = min(prepared.options.byteLimit, Int(UInt32.max))
            throw SceneExportError(
                .convertTooLarge, "the .glb would have \(length) bytes; it may have \(most) at most: write a .gltf")
        }
        try prepared.budget.check(output: length)
        let file = try ExportFile(for: target)
        try file.write([0x4654_6C67, 2, whole, UInt32(size + padding), 0x4E4F_534A].map(\.littleEndian))
        try text.write(to: file)
        try file.write([UInt8](repeating: UInt8(ascii: " "), count: padding))
        if buffer.count > 0 {
            try file.write([UInt32(buffer.count), 0x004E_4942].map(\.littleEndian))
            try file.write(contentsOf: numbers)
        }
        try file.deliver(to: target)
        report.contents.bytes = length
    }

    private mutating func writeText(_ text: JSONText, _ report: inout FidelityReport) throws(SceneExportError) {
        let textures = buffer.textures
        let length = text.size + buffer.count + (textures?.bytes ?? 0)
        try prepared.budget.check(output: length)
        let file = try ExportFile(target.path)
        try text.write(to: file)
        try file.deliver(to: target, with: (buffer.count > 0 ? [numbers] : []) + (textures?.files ?? []))
        report.contents.bytes = length
    }

    private static func binaryName(_ path: String) -> String {
        let name = GLTFFormat.binaryPath(of: path).split(separator: "/").last.map(String.init) ?? "buffer.bin"
        return PercentEncoding.encode(name)
    }
}

extension Double {
    /// With so many figures that are not 0.
    fileprivate func rounded(toDigits digits: Int) -> Double {
        guard self != 0, isFinite else { return self }
        let unit = pow(10, Double(digits - 1) - log10(abs(self)).rounded(.down))
        return unit.isFinite ? (self * unit).rounded() / unit : self
    }
}

extension Matrix4 {
    /// Column by column.
    var columnDoubles: [Double] {
        var numbers: [Double] = []
        numbers.reserveCapacity(16)
        for column in [columns.0, columns.1, columns.2, columns.3] {
            for lane in 0..<4 { numbers.append(column[lane]) }
        }
        return numbers
    }
}
