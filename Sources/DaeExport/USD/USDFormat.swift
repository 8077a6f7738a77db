import DaeCore
import DaeDiagnostics
import DaeMesh
import DaeScene

/// USD in one package, `.usdz`: a layer in binary form, and the images.
///
/// - Source: OpenUSD, "Usdz File Format Specification", "UsdPreviewSurface Specification", UsdGeom, UsdShade and UsdSkel.
struct USDZFormat: SceneWriter {
    var conventions: ExportConventions { ExportConventions(imageOrigin: .bottomLeft, colors: .linear, curves: .none) }

    func files(of path: String) -> [String] { [path] }

    func write(
        _ scene: consuming PreparedScene, to target: ExportTarget, _ images: ExportImages,
        _ report: inout FidelityReport
    ) throws(SceneExportError) {
        var writer = try USDWriter(scene, to: target, images)
        try writer.write(&report)
    }
}

/// Writes the prims of a scene: one for each node, what the node shows below it, and what several of them use below the
/// root.
struct USDWriter {
    private var prepared: PreparedScene
    private let scene: Scene
    private var out: USDOutput
    private var meshes: USDMeshes
    private var materials: USDMaterials
    private var skeletons = USDSkeletons()
    private var motion: USDMotion
    /// Of the nodes of the tree that show a skin.
    private var skinned: [Int: USDSkin] = [:]
    /// The node of the tree that is the root, where one is above all and stands for none of the scene's.
    private var rootPlace: Int?
    private var lenses: [Int: CameraLens?] = [:]
    private var notedLights = Set<Int>()
    /// Of the nodes of the tree that show a light, how far it is from the middle of what is drawn.
    private let lightDistances: [Int: Double]
    private var (cameraCount, lightCount) = (0, 0)

    init(
        _ prepared: PreparedScene, to target: ExportTarget, _ images: ExportImages
    ) throws(SceneExportError) {
        scene = prepared.scene
        out = try USDOutput(prepared, to: target)
        meshes = USDMeshes(scene)
        materials = USDMaterials(prepared, images)
        motion = USDMotion(prepared.budget)
        lightDistances = PhysicalLight.distances(of: prepared)
        self.prepared = prepared
    }

    mutating func write(_ report: inout FidelityReport) throws(SceneExportError) {
        guard !prepared.tree.nodes.isEmpty else {
            throw SceneExportError(.convertNothingDrawable, "the scene has no node; expected one at least")
        }
        out.report = report
        try bindSkins()
        try motion.read(prepared, weighted: nodesByMorphs, &out.report)
        if prepared.tree.roots.count == 1, let root = prepared.tree.roots.first {
            let node = prepared.tree.nodes[root]
            if node.node == nil, prepared.instance(of: node) == nil { rootPlace = root }
        }
        var tree = USDTree(prepared.tree, in: scene, root: rootPlace)
        try layOut(&tree)
        report = out.report
        try prepared.budget.check()
        prepared.noteTheRest(&report)
        try prepared.checkLosses(report)
        try prepared.checkCancelled()
        noteContents(&report)
        report.contents.bytes = try out.package.finish(try out.crate.finish())
    }

    private func noteContents(_ report: inout FidelityReport) {
        report.contents.nodes = prepared.tree.nodes.count
        report.contents.meshes = meshes.meshCount
        report.contents.primitives = meshes.primitiveCount
        report.contents.materials = materials.count
        report.contents.images = out.package.count
        report.contents.skins = skeletons.count
        report.contents.animations = motion.clipCount
        report.contents.cameras = cameraCount
        report.contents.lights = lightCount
    }

    // MARK: - Before the prims

    /// Before any node is written: a skin may need more of them.
    private mutating func bindSkins() throws(SceneExportError) {
        guard prepared.hasSkins else { return }
        for place in prepared.tree.nodes.indices {
            try prepared.checkCancelled()
            guard let skin = try prepared.skin(at: place, &out.report),
                let instance = prepared.instance(of: prepared.tree.nodes[place]),
                let shape = try meshes.shape(of: instance, turned: skin.turned, in: prepared, &out)
            else { continue }
            out.report.add(.dropped, .joints, count: skin.missing, at: scene.controllers[skin.controller].id)
            let usesBindShape = meshes[shape].usesBindShape
            let joints = try prepared.joints(of: skin, usesBindShape: usesBindShape)
            let binds = skin.inverseBinds(usesBindShape: usesBindShape).map { inverse -> Matrix4? in
                inverse.settled.inverse
            }
            let unbound = binds.count { $0 == nil }
            out.report.add(.approximated, .joints, count: unbound, at: scene.controllers[skin.controller].id)
            skinned[place] = USDSkin(
                shape: shape, joints: joints,
                skeleton: skeletons.add(joints: joints, binds: binds.map { $0 ?? .identity }))
        }
    }

    /// Nodes of the tree that show morphs, by the controllers that these are, innermost first.
    private var nodesByMorphs: [[SceneIndex<Controller>]: [Int]] {
        guard scene.controllers.contains(where: { !$0.isSkin }) else { return [:] }
        var nodes: [[SceneIndex<Controller>]: [Int]] = [:]
        for place in prepared.tree.nodes.indices {
            guard case .controller(let controller, skeleton: _, materials: _)? = instance(at: place),
                let morphs = MorphChain(scene, from: controller), !morphs.restWeights.isEmpty
            else { continue }
            nodes[morphs.controllers, default: []].append(place)
        }
        return nodes
    }

    private func instance(at place: Int) -> Instance? { prepared.instance(of: prepared.tree.nodes[place]) }

    // MARK: - Prims

    private mutating func layOut(_ tree: inout USDTree) throws(SceneExportError) {
        try putLayer()
        let hasSkeletons = skeletons.count > 0 || motion.hasWeights
        var names = tree.names(below: rootPlace)
        // What is drawn of it is moved by skeletons that are below it.
        out.crate.put("defaultPrim", out.crate.value(token: tree.rootName))
        let root = out.crate.begin(tree.rootName, hasSkeletons ? "SkelRoot" : "Xform")
        out.crate.put("kind", out.crate.value(token: "component"))
        out.scopes = USDScopes(&out.crate, root, &names)
        if let rootPlace { try put(transformOf: rootPlace) }
        try skeletons.settle(skinned, &tree, motion, prepared, &out)
        meshes.count(prepared)
        // Nodes on the way; `nil` ends the prim that was begun last.
        var waiting: [Int?] = tree.tops.reversed()
        while let next = waiting.popLast() {
            guard let place = next else {
                try out.crate.end()
                continue
            }
            try prepared.checkCancelled()
            try begin(place, &tree)
            waiting.append(nil)
            for child in prepared.tree.children(of: place).reversed() { waiting.append(child) }
        }
        try meshes.writePrototypes(&materials, &out)
        try skeletons.write(below: nil, motion, prepared, &out)
        try materials.write(&out)
        try out.crate.end()
    }

    private mutating func putLayer() throws(SceneExportError) {
        out.crate.put("metersPerUnit", try out.crate.value(prepared.system.metersPerUnit))
        let isZUp = prepared.system.upAxis == .z
        out.crate.put("upAxis", out.crate.value(token: isZUp ? "Z" : "Y"))
        var data = [(key: "creator", value: out.crate.value(string: prepared.options.generator))]
        if let copyright = scene.copyright { data.append(("copyright", out.crate.value(string: copyright))) }
        try motion.putTimes(in: &out.crate, &data)
        out.crate.put("customLayerData", try out.crate.dictionary(data.sorted { $0.key < $1.key }))
    }

    private mutating func begin(
        _ place: Int, _ tree: inout USDTree
    ) throws(SceneExportError) {
        let node = prepared.tree.nodes[place]
        let name = tree.name(of: place)
        out.crate.begin(tree.path(of: place, &out), "Xform")
        if let source = node.node.map({ scene.nodes[$0] }) {
            try out.crate.putNames(source.name ?? source.id, as: name, id: source.id, sid: source.sid)
        }
        try put(transformOf: place)
        try skeletons.write(below: place, motion, prepared, &out)
        guard let instance = prepared.instance(of: node) else { return }
        var names = tree.names(below: place)
        switch instance {
        case .geometry, .controller:
            let skin = skinned[place]
            let shape: Int?
            if let skin {
                shape = skin.shape
            } else {
                shape = try meshes.shape(of: instance, turned: [], in: prepared, &out)
            }
            guard let shape else {
                if case .controller(let controller, skeleton: _, materials: _) = instance,
                    scene.controllers[controller].base == nil
                {
                    out.report.add(.dropped, .missingMeshes, at: scene.controllers[controller].id)
                }
                return
            }
            let binding = skeletons.binding(of: skin, morphs: motion.weightNames(at: place))
            try meshes.show(shape, instance, binding, &names, &materials, &out)
        case .camera(let camera): try put(camera, &names)
        case .light(let light): try put(light, at: place, &names)
        }
    }

    private mutating func put(
        _ index: SceneIndex<Light>, at place: Int, _ names: inout USDNames
    ) throws(SceneExportError) {
        let light = scene.lights[index]
        let isFirst = notedLights.insert(index.value).inserted
        let scale = scene.coordinateSystem.scale(to: prepared.system)
        var physical: PhysicalLight?
        switch prepared.options.usdProfile {
        case .quickLook: break
        case .usd: physical = PhysicalLight(light, scale: scale, at: lightDistances[place] ?? 1)
        }
        let told = light.id ?? light.name
        guard let physical else {
            if isFirst { out.report.add(.dropped, .lights, at: told) }
            return
        }
        if isFirst {
            if PhysicalLight.fallsOffOtherwise(light) { out.report.add(.approximated, .lightFalloff, at: told) }
            if light.source?.falloff.map({ $0.exponent > 0 }) ?? false {
                out.report.add(.approximated, .spotFalloff, at: told)
            }
        }
        lightCount += 1
        try USDLight(physical).write(light, &names, &out)
    }

    private mutating func put(transformOf place: Int) throws(SceneExportError) {
        if let parts = motion.parts(of: place, prepared) {
            try put("xformOp:translate", "float3", .float3, parts.translation)
            try put("xformOp:orient", "quatf", .quatf, parts.rotation)
            try put("xformOp:scale", "float3", .float3, parts.scale)
            let order = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
            try out.crate.attribute("xformOpOrder", "token[]", try operations(order), .uniform)
            return
        }
        let node = prepared.tree.nodes[place]
        let matrix = prepared.tree.matrix(of: node, in: scene)
        guard matrix != .identity else { return }
        try out.crate.attribute("xformOp:transform", "matrix4d", try out.crate.value(matrix))
        try out.crate.attribute("xformOpOrder", "token[]", try operations(["xformOp:transform"]), .uniform)
    }

    private var knownOperations: [[String]: CrateValue] = [:]

    private mutating func operations(_ names: [String]) throws(SceneExportError) -> CrateValue {
        if let known = knownOperations[names] { return known }
        let list = try out.crate.list(tokens: names)
        knownOperations[names] = list
        return list
    }

    private mutating func put(
        _ name: String, _ type: String, _ kind: CrateValue.Kind, _ keys: USDKeys
    ) throws(SceneExportError) {
        let rest = try out.crate.value(kind, keys.rest)
        guard keys.times.count > 0 else {
            try out.crate.attribute(name, type, rest)
            return
        }
        var values: [CrateValue] = []
        values.reserveCapacity(keys.times.count)
        for key in keys.times.indices {
            values.append(try out.crate.value(kind, Array(keys.values[key * keys.width..<(key + 1) * keys.width])))
        }
        try out.crate.attribute(name, type, rest, .samples(try out.crate.samples(motion.codes(keys.times), values)))
    }

    // MARK: - Cameras

    private mutating func put(
        _ index: SceneIndex<Camera>, _ names: inout USDNames
    ) throws(SceneExportError) {
        let camera = scene.cameras[index]
        let lens: CameraLens?
        if let known = lenses[index.value] {
            lens = known
        } else {
            let scale = scene.coordinateSystem.scale(to: prepared.system)
            lens = CameraLens(of: camera, scale: scale, &out.report)
            lenses[index.value] = .some(lens)
        }
        guard let lens else { return }
        cameraCount += 1
        let name = names.unique(USDNames.identifier(camera.name ?? camera.id, or: "camera"))
        _ = out.crate.begin(name, "Camera")
        try out.crate.putNames(camera.name ?? camera.id, as: name, id: camera.id, sid: nil)
        let (projection, width, height, focal, far): (String, Double, Double, Double, Double?)
        switch lens.projection {
        case .perspective(let yfov, let aspect, let end):
            // Of the film only its size against the focal length counts.
            let film = 24.0
            (projection, height, far) = ("perspective", film, end)
            (width, focal) = (film * (aspect ?? 1), film / 2 / tan(yfov / 2))
        case .orthographic(let xmag, let ymag, let end):
            // Tenths of a unit.
            (projection, width, height, focal, far) = ("orthographic", xmag * 20, ymag * 20, 50, end)
        }
        try out.crate.attribute("projection", "token", out.crate.value(token: projection))
        for (name, number) in [
            ("horizontalAperture", width), ("verticalAperture", height), ("focalLength", focal),
        ] {
            try out.crate.attribute(name, "float", CrateValue(Float(number)))
        }
        let range = [Float(lens.near), Float(far ?? max(1_000_000, lens.near * 1_000_000))]
        try out.crate.attribute("clippingRange", "float2", try out.crate.value(.float2, range))
        try out.crate.end()
    }
}
