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
    private var crate: CrateWriter
    private var package: USDZPackage
    private var meshes: USDMeshes
    private var materials: USDMaterials
    private var skeletons = USDSkeletons()
    private var motion: USDMotion
    /// Of the nodes of the tree that show a skin.
    private var skinned: [Int: USDSkin] = [:]
    /// The node of the tree that is the root, where one is above all and stands for none of the scene's.
    private var rootPlace: Int?
    private var lenses: [Int: CameraLens?] = [:]
    private var lostLights = Set<Int>()
    private var cameraCount = 0

    init(
        _ prepared: PreparedScene, to target: ExportTarget, _ images: ExportImages
    ) throws(SceneExportError) {
        scene = prepared.scene
        let limit = max(0, min(prepared.options.byteLimit, Int(UInt32.max) - 1))
        crate = try CrateWriter(beside: target.path, limit: limit, prepared.budget)
        package = try USDZPackage(to: target, limit: limit, prepared.budget)
        meshes = USDMeshes(scene)
        materials = USDMaterials(prepared, images)
        motion = USDMotion(prepared.budget)
        self.prepared = prepared
    }

    mutating func write(_ report: inout FidelityReport) throws(SceneExportError) {
        guard !prepared.tree.nodes.isEmpty else {
            throw SceneExportError(.convertNothingDrawable, "the scene has no node; expected one at least")
        }
        try bindSkins(&report)
        try motion.read(prepared, weighted: nodesByMorphs, &report)
        if prepared.tree.roots.count == 1, let root = prepared.tree.roots.first {
            let node = prepared.tree.nodes[root]
            if node.node == nil, prepared.instance(of: node) == nil { rootPlace = root }
        }
        var tree = USDTree(prepared.tree, in: scene, root: rootPlace)
        try layOut(&tree, &report)
        try prepared.budget.check()
        prepared.noteTheRest(&report)
        try prepared.checkLosses(report)
        try prepared.checkCancelled()
        noteContents(&report)
        report.contents.bytes = try package.finish(try crate.finish())
    }

    private func noteContents(_ report: inout FidelityReport) {
        report.contents.nodes = prepared.tree.nodes.count
        report.contents.meshes = meshes.meshCount
        report.contents.primitives = meshes.primitiveCount
        report.contents.materials = materials.count
        report.contents.images = package.count
        report.contents.skins = skeletons.count
        report.contents.animations = motion.clipCount
        report.contents.cameras = cameraCount
    }

    // MARK: - Before the prims

    /// Before any node is written: a skin may need more of them.
    private mutating func bindSkins(_ report: inout FidelityReport) throws(SceneExportError) {
        guard prepared.hasSkins else { return }
        for place in prepared.tree.nodes.indices {
            try prepared.checkCancelled()
            guard let skin = try prepared.skin(at: place, &report),
                let instance = prepared.instance(of: prepared.tree.nodes[place]),
                let shape = try meshes.shape(of: instance, turned: skin.turned, in: prepared, &crate, &report)
            else { continue }
            report.add(.dropped, .joints, count: skin.missing, at: scene.controllers[skin.controller].id)
            let usesBindShape = meshes[shape].usesBindShape
            let joints = try prepared.joints(of: skin, usesBindShape: usesBindShape)
            let binds = skin.inverseBinds(usesBindShape: usesBindShape).map { inverse -> Matrix4? in
                inverse.settled.inverse
            }
            let unbound = binds.count { $0 == nil }
            report.add(.approximated, .joints, count: unbound, at: scene.controllers[skin.controller].id)
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

    private mutating func layOut(_ tree: inout USDTree, _ report: inout FidelityReport) throws(SceneExportError) {
        try putLayer()
        let hasSkeletons = skeletons.count > 0 || motion.hasWeights
        var names = tree.names(below: rootPlace)
        // What is drawn of it is moved by skeletons that are below it.
        crate.put("defaultPrim", crate.value(token: tree.rootName))
        let root = crate.begin(tree.rootName, hasSkeletons ? "SkelRoot" : "Xform")
        crate.put("kind", crate.value(token: "component"))
        let scopes = USDScopes(&crate, root, &names)
        if let rootPlace { try put(transformOf: rootPlace) }
        try skeletons.settle(skinned, &tree, motion, prepared, scopes, &crate)
        meshes.count(prepared)
        // Nodes on the way; `nil` ends the prim that was begun last.
        var waiting: [Int?] = tree.tops.reversed()
        while let next = waiting.popLast() {
            guard let place = next else {
                try crate.end()
                continue
            }
            try prepared.checkCancelled()
            try begin(place, &tree, scopes, &report)
            waiting.append(nil)
            for child in prepared.tree.children(of: place).reversed() { waiting.append(child) }
        }
        try meshes.writePrototypes(scopes, &materials, &package, &crate, &report)
        try skeletons.write(below: nil, motion, prepared, scopes, &crate, &report)
        try materials.write(package, scopes.materials, &crate)
        try crate.end()
    }

    private mutating func putLayer() throws(SceneExportError) {
        crate.put("metersPerUnit", try crate.value(prepared.system.metersPerUnit))
        let isZUp = prepared.system.upAxis == .z
        crate.put("upAxis", crate.value(token: isZUp ? "Z" : "Y"))
        var data = [(key: "creator", value: crate.value(string: prepared.options.generator))]
        if let copyright = scene.copyright { data.append(("copyright", crate.value(string: copyright))) }
        try motion.putTimes(in: &crate, &data)
        crate.put("customLayerData", try crate.dictionary(data.sorted { $0.key < $1.key }))
    }

    private mutating func begin(
        _ place: Int, _ tree: inout USDTree, _ scopes: USDScopes, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let node = prepared.tree.nodes[place]
        let name = tree.name(of: place)
        crate.begin(tree.path(of: place, scopes.root, &crate), "Xform")
        if let source = node.node.map({ scene.nodes[$0] }) {
            try crate.putNames(source.name ?? source.id, as: name, id: source.id, sid: source.sid)
        }
        try put(transformOf: place)
        try skeletons.write(below: place, motion, prepared, scopes, &crate, &report)
        guard let instance = prepared.instance(of: node) else { return }
        var names = tree.names(below: place)
        switch instance {
        case .geometry, .controller:
            let skin = skinned[place]
            let shape: Int?
            if let skin {
                shape = skin.shape
            } else {
                shape = try meshes.shape(of: instance, turned: [], in: prepared, &crate, &report)
            }
            guard let shape else {
                if case .controller(let controller, skeleton: _, materials: _) = instance,
                    scene.controllers[controller].base == nil
                {
                    report.add(.dropped, .missingMeshes, at: scene.controllers[controller].id)
                }
                return
            }
            let binding = skeletons.binding(of: skin, morphs: motion.weightNames(at: place))
            try meshes.show(
                shape, instance, binding, scopes, &names, &materials, &package, &crate, &report)
        case .camera(let camera): try put(camera, &names, &report)
        case .light(let light):
            guard lostLights.insert(light.value).inserted else { return }
            report.add(.dropped, .lights, at: scene.lights[light].id ?? scene.lights[light].name)
        }
    }

    private mutating func put(transformOf place: Int) throws(SceneExportError) {
        if let parts = motion.parts(of: place, prepared) {
            try put("xformOp:translate", "float3", .float3, parts.translation)
            try put("xformOp:orient", "quatf", .quatf, parts.rotation)
            try put("xformOp:scale", "float3", .float3, parts.scale)
            let order = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
            try crate.attribute("xformOpOrder", "token[]", try operations(order), .uniform)
            return
        }
        let node = prepared.tree.nodes[place]
        let matrix = prepared.tree.matrix(of: node, in: scene)
        guard matrix != .identity else { return }
        try crate.attribute("xformOp:transform", "matrix4d", try crate.value(matrix))
        try crate.attribute("xformOpOrder", "token[]", try operations(["xformOp:transform"]), .uniform)
    }

    private var knownOperations: [[String]: CrateValue] = [:]

    private mutating func operations(_ names: [String]) throws(SceneExportError) -> CrateValue {
        if let known = knownOperations[names] { return known }
        let list = try crate.list(tokens: names)
        knownOperations[names] = list
        return list
    }

    private mutating func put(
        _ name: String, _ type: String, _ kind: CrateValue.Kind, _ keys: USDKeys
    ) throws(SceneExportError) {
        let rest = try crate.value(kind, keys.rest)
        guard keys.times.count > 0 else {
            try crate.attribute(name, type, rest)
            return
        }
        var values: [CrateValue] = []
        values.reserveCapacity(keys.times.count)
        for key in keys.times.indices {
            values.append(try crate.value(kind, Array(keys.values[key * keys.width..<(key + 1) * keys.width])))
        }
        try crate.attribute(name, type, rest, .samples(try crate.samples(motion.codes(keys.times), values)))
    }

    // MARK: - Cameras

    private mutating func put(
        _ index: SceneIndex<Camera>, _ names: inout USDNames, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let camera = scene.cameras[index]
        let lens: CameraLens?
        if let known = lenses[index.value] {
            lens = known
        } else {
            let scale = scene.coordinateSystem.scale(to: prepared.system)
            lens = CameraLens(of: camera, scale: scale, &report)
            lenses[index.value] = .some(lens)
        }
        guard let lens else { return }
        cameraCount += 1
        let name = names.unique(USDNames.identifier(camera.name ?? camera.id, or: "camera"))
        _ = crate.begin(name, "Camera")
        try crate.putNames(camera.name ?? camera.id, as: name, id: camera.id, sid: nil)
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
        try crate.attribute("projection", "token", crate.value(token: projection))
        for (name, number) in [
            ("horizontalAperture", width), ("verticalAperture", height), ("focalLength", focal),
        ] {
            try crate.attribute(name, "float", CrateValue(Float(number)))
        }
        let range = [Float(lens.near), Float(far ?? max(1_000_000, lens.near * 1_000_000))]
        try crate.attribute("clippingRange", "float2", try crate.value(.float2, range))
        try crate.end()
    }
}

/// Where below the root what several nodes use is.
struct USDScopes {
    let root: CrateWriter.Path
    let materials: CrateWriter.Path
    let skeletons: CrateWriter.Path
    let prototypes: CrateWriter.Path

    /// - Parameter names: Of what else is below the root.
    init(_ crate: inout CrateWriter, _ root: CrateWriter.Path, _ names: inout USDNames) {
        self.root = root
        materials = crate.declare(names.unique("Materials"), in: root)
        skeletons = crate.declare(names.unique("Skeletons"), in: root)
        prototypes = crate.declare(names.unique("Prototypes"), in: root)
    }
}

/// The nodes of a tree with the names and parents of their prims.
struct USDTree {
    private let names: [String]
    private let tree: PreparedTree
    /// By node, the one around it; −1 for the root.
    private let parents: [Int32]
    /// Prims that are declared before the prims around them are begun.
    private var paths: [Int: CrateWriter.Path] = [:]
    /// Names that are taken below a node beside those of other nodes.
    private var reserved: [Int: [String]] = [:]
    /// Nodes below the root.
    let tops: [Int]
    let rootName: String

    init(_ tree: PreparedTree, in scene: Scene, root: Int?) {
        self.tree = tree
        tops = root.map { tree.children(of: $0) } ?? tree.roots
        rootName = USDNames.identifier(scene.name ?? scene.id, or: "Root")
        var names = [String](repeating: "", count: tree.nodes.count)
        var parents = [Int32](repeating: -1, count: tree.nodes.count)
        func name(_ places: [Int], below parent: Int) {
            var used = USDNames()
            for place in places {
                let source = tree.nodes[place].node.map { scene.nodes[$0] }
                names[place] = used.unique(USDNames.identifier(source?.name ?? source?.id, or: "node"))
                parents[place] = Int32(truncatingIfNeeded: parent)
            }
        }
        name(tops, below: -1)
        for place in tree.nodes.indices where place != root && tree.nodes[place].hasChildren {
            name(tree.children(of: place), below: place)
        }
        (self.names, self.parents) = (names, parents)
    }

    func name(of place: Int) -> String { names[place] }

    /// `nil` for a node right below the root.
    func parent(of place: Int) -> Int? { parents[place] < 0 ? nil : Int(parents[place]) }

    /// Those that are taken below a node, or below the root.
    func names(below place: Int?) -> USDNames {
        var used = USDNames()
        for child in place.map({ tree.children(of: $0) }) ?? tops { _ = used.unique(names[child]) }
        for name in place.flatMap({ reserved[$0] }) ?? [] { _ = used.unique(name) }
        return used
    }

    /// Takes a name below a node for something else than a node.
    mutating func reserve(_ name: String, below place: Int) -> String {
        var used = names(below: place)
        let name = used.unique(name)
        reserved[place, default: []].append(name)
        return name
    }

    /// The prim of a node, declared with those around it where it is not yet.
    mutating func path(
        of place: Int, _ root: CrateWriter.Path, _ crate: inout CrateWriter
    ) -> CrateWriter.Path {
        var missing: [Int] = []
        var next = Optional(place)
        while let at = next, paths[at] == nil {
            missing.append(at)
            next = parent(of: at)
        }
        var path = next.flatMap { paths[$0] } ?? root
        for at in missing.reversed() {
            path = crate.declare(names[at], in: path)
            paths[at] = path
        }
        return path
    }

    /// The innermost node that has all of some within, and is none of them; `nil` for the root.
    func base(of places: [Int]) -> Int? {
        guard let first = places.first else { return nil }
        // The way from the root to the first of them; each other one may leave it earlier.
        var way: [Int] = []
        var next = parent(of: first)
        while let at = next {
            way.append(at)
            next = parent(of: at)
        }
        way.reverse()
        var steps = Dictionary(uniqueKeysWithValues: way.enumerated().map { ($0.element, $0.offset) })
        var shared = way.count
        for place in places.dropFirst() {
            var seen: [Int] = []
            var next = parent(of: place)
            while let at = next, steps[at] == nil {
                seen.append(at)
                next = parent(of: at)
            }
            let step = next.flatMap { steps[$0] } ?? -1
            for at in seen { steps[at] = step }
            shared = min(shared, step + 1)
        }
        return shared > 0 ? way[shared - 1] : nil
    }
}

extension CrateWriter {
    /// Keeps what the document calls something that is written under another name.
    mutating func putNames(_ text: String?, as name: String, id: String?, sid: String?) throws(SceneExportError) {
        if let text, text != name { put("displayName", value(string: text)) }
        var entries: [(key: String, value: CrateValue)] = []
        if let id { entries.append(("id", value(string: id))) }
        if let sid { entries.append(("sid", value(string: sid))) }
        if !entries.isEmpty { put("customData", try dictionary(entries)) }
    }
}

extension SceneExportError {
    static func tooLarge(_ format: ExportFormat, _ limit: Int) -> SceneExportError {
        SceneExportError(
            .convertTooLarge,
            "the .\(format.rawValue) would have more than the \(limit) bytes it may have at most: write a .gltf")
    }
}
