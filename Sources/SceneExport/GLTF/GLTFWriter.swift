import Diagnostics
import SceneModel

/// Puts a file together: numbers go to a file of their own as they are made, and behind the text at the end.
struct GLTFWriter {
    private let scene: Scene
    /// What the file is in.
    private let system: CoordinateSystem
    private let options: GLTFOptions
    private let budget: ConversionBudget
    private let isCancelled: () -> Bool
    private let path: String
    private let numbers: ExportFile
    private let spool: TextSpool
    private var buffer: GLTFBuffer
    private var meshes: GLTFMeshes
    private var materials: GLTFMaterials
    private var skins: GLTFSkins
    private var optics: GLTFOptics
    private var animations: GLTFAnimations
    /// Of the scene, in the units of its document, above 0.
    private let size: Double
    private var report = FidelityReport()
    /// Of the nodes of the tree that show a light, how far it is from the middle of what is drawn.
    private var lightDistances: [Int: Double] = [:]
    /// Of the nodes of the tree that show one.
    private var boundSkins: [Int: BoundSkin] = [:]
    /// Nodes of the tree that show morphs, by the controller that they show.
    private var weighted: [SceneIndex<Controller>: [Int]] = [:]

    private struct BoundSkin {
        let index: Int
        /// As ``ExportRig/turned(_:)`` has it.
        let turned: [Bool]
    }

    init(
        _ scene: Scene, _ path: String, _ images: ExportImages, _ options: GLTFOptions, _ budget: ConversionBudget,
        _ isCancelled: @escaping () -> Bool
    ) throws(SceneExportError) {
        self.isCancelled = isCancelled
        let written = scene.unconverted.system
        // Only curves are held against it, and every position is read for it.
        let box = scene.animations.isEmpty ? nil : SceneBounds(of: scene).box
        let size = box.map { $0.size.max() * scene.coordinateSystem.scale(to: written) } ?? 1
        var scene = scene
        if let time = options.time {
            report.add(.dropped, .animations, count: scene.animations.count)
            Self.tell(time, in: scene, &report)
            let (posed, left) = scene.posed(at: time)
            for material in left { report.add(.dropped, .channels, at: scene.materials[material].id) }
            scene = posed
        }
        self.scene = scene
        system = options.system(of: scene)
        self.options = options
        self.budget = budget
        self.path = path
        let limit: Int
        switch options.container {
        case .binary:
            limit = max(0, min(options.byteLimit, Int(UInt32.max)))
            numbers = try ExportFile(unnamedBeside: path)
        case .text:
            limit = Int.max / 2
            numbers = try ExportFile(GLTFExport.binaryPath(of: path))
        }
        spool = TextSpool(beside: path, budget)
        buffer = GLTFBuffer(numbers, spool, limit: limit, budget)
        meshes = GLTFMeshes(scene, spool, options, budget)
        materials = GLTFMaterials(scene, spool, images, options, budget, isCancelled)
        skins = GLTFSkins(scene, spool)
        // Of a scene that was read they are in its own system, whatever stands below its root.
        optics = GLTFOptics(scene, spool, scale: scene.coordinateSystem.scale(to: system))
        self.size = size > 0 && size.isFinite ? size : 1
        animations = GLTFAnimations(scene, spool, size: self.size, rate: options.samplingRate, budget)
    }

    /// A moment at which nothing moves any more, or not yet, is mostly a mistake.
    private static func tell(_ time: Double, in scene: Scene, _ report: inout FidelityReport) {
        let channels = scene.channels
        guard !channels.contains(where: \.curve.goesOn),
            let first = channels.compactMap({ $0.curve.timeRange?.lowerBound }).min(),
            let last = channels.compactMap({ $0.curve.timeRange?.upperBound }).max(), time < first || time > last
        else { return }
        report.add(
            .approximated, .moment, at: "\(time) s, where the keys are from \(first) to \(last) s",
            deviation: time < first ? first - time : time - last)
    }

    mutating func write() throws(SceneExportError) -> FidelityReport {
        var tree = try ExportTree(
            of: scene, in: system, moving: animations.moving, size: size, limit: options.nodeLimit, hasSkins: hasSkins,
            &report)
        lightDistances = distances(of: try tree.frameOptics(of: scene))
        try bindSkins(&tree)
        var nodes = JSONList(spool)
        for (place, node) in tree.nodes.enumerated() {
            try checkCancelled()
            if let failure = spool.failure { throw failure }
            nodes.add(try object(of: node, at: place, tree))
        }
        guard nodes.count > 0 else {
            throw SceneExportError(.convertNothingDrawable, "the scene has no node; expected one at least")
        }
        try animations.write(
            tree.places, tree.origins, weighted: nodesByMorphs, lostRows: tree.lostRows, &buffer, &report)
        try budget.check()
        tellTheRest(tree.places)
        let losses = report.losses(of: options.protected)
        if let loss = losses.first {
            let others = losses.count > 1 ? " and \(losses.count - 1) more" : ""
            throw SceneExportError(
                .convertLoss,
                "\(loss.count) × \(loss.subject.title(of: loss.change)) (\(loss.change.rawValue))\(others)",
                report: report)
        }
        let text = text(nodes, roots: tree.roots)
        report.contents.nodes = nodes.count
        if let failure = spool.failure { throw failure }
        try checkCancelled()
        switch options.container {
        case .binary: try writeBinary(text)
        case .text: try writeText(text)
        }
        tellContents()
        return report
    }

    private mutating func tellContents() {
        report.contents.meshes = meshes.list.count
        report.contents.primitives = meshes.primitiveCount
        report.contents.materials = materials.list.count
        report.contents.images = materials.images.count
        report.contents.skins = skins.list.count
        report.contents.animations = animations.list.count
        report.contents.cameras = optics.cameras.count
        report.contents.lights = optics.lights.count
    }

    private func checkCancelled() throws(SceneExportError) {
        if isCancelled() { throw SceneExportError.stopped }
    }

    /// From the middle of what is drawn to some places in the file's world.
    private func distances(of places: [Int: SIMD3<Double>]) -> [Int: Double] {
        guard !places.isEmpty, scene.lights.contains(where: { GLTFOptics.fallsOffOtherwise($0) }),
            let box = SceneBounds(of: scene).box
        else { return [:] }
        let middle = scene.coordinateSystem.conversion(to: system).transform(point: (box.min + box.max) / 2)
        // One in the middle lights what is around it.
        let least = box.size.max() * scene.coordinateSystem.scale(to: system) / 4
        return places.mapValues { place in
            let distance = Swift.max((place - middle).size, least)
            return distance > 0 && distance.isFinite ? distance : 1
        }
    }

    private var hasSkins: Bool {
        scene.controllers.contains { controller in
            switch controller.kind {
            case .skin: true
            case .morph, nil: false
            }
        }
    }

    private mutating func tellTheRest(_ places: NodePlaces) {
        for instance in scene.unresolvedInstances where places.first(of: instance.node) != nil {
            let subject: FidelitySubject =
                switch instance.kind {
                case .geometry, .controller: .missingMeshes
                case .node: .missingNodes
                case .camera: .missingCameras
                case .light: .missingLights
                }
            report.add(.dropped, subject, at: scene.nodes[instance.node].id ?? scene.nodes[instance.node].name)
        }
        for geometry in scene.geometries where geometry.mesh == nil {
            report.add(.dropped, .otherGeometry, at: geometry.id ?? geometry.name)
        }
        for animation in scene.animations {
            for target in animation.unresolvedTargets { report.add(.dropped, .unresolvedChannels, at: target) }
        }
        report.add(.dropped, .physics, count: scene.physics.scenes.count)
        report.add(.dropped, .kinematics, count: scene.kinematics.scenes.count)
    }

    // MARK: - Nodes

    /// Before any node is written: a skin may need more of them.
    private mutating func bindSkins(_ tree: inout ExportTree) throws(SceneExportError) {
        guard hasSkins else { return }
        let moving = animations.moving
        let skinned = NearestControllers.skins(of: scene)
        for place in tree.nodes.indices {
            try checkCancelled()
            guard let instance = instance(of: tree.nodes[place]),
                case .controller(let controller, let skeleton, materials: _) = instance,
                let found = skinned[controller], case .skin(let skin) = scene.controllers[found].kind
            else { continue }
            try budget.bind(joints: max(skin.joints.count, skeleton.joints.count))
            let rig = try tree.rig(of: skeleton, at: place, scene, moving, &report)
            let turned = rig.turned(skin)
            guard
                let mesh = try meshes.mesh(
                    of: instance, turned: turned, materials: &materials, &buffer, &report)
            else { continue }
            let index = try skins.skin(
                of: controller, skin, rig, at: place, usesBindShape: mesh.usesBindShape, &tree, &buffer, &report)
            boundSkins[place] = BoundSkin(index: index, turned: turned)
        }
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
        of node: ExportNode, at place: Int, _ tree: ExportTree
    ) throws(SceneExportError) -> JSONObject {
        var object = JSONObject()
        let source = node.node.map { scene.nodes[$0] }
        if let name = source?.name ?? source?.id { object.put("name", name) }
        switch node.transform {
        case .identity: break
        case .own: if let source { object.put("matrix", source.matrix.settled.columnDoubles) }
        case .conversion: object.put("matrix", tree.conversion.columnDoubles)
        case .parts(let index): put(tree.parts[Int(index)], in: &object)
        }
        if node.firstChild >= 0 { object.put("children", tree.children(of: place)) }
        if let instance = instance(of: node) { try put(instance, in: &object, at: place) }
        var extras = JSONObject()
        if let id = source?.id { extras.put("id", id) }
        if let sid = source?.sid { extras.put("sid", sid) }
        if !extras.isEmpty { object.put("extras", extras) }
        return object
    }

    private func instance(of node: ExportNode) -> Instance? {
        node.shown.map { scene.nodes[$0.node].instances[$0.place] }
    }

    private func put(_ parts: RigidScale, in object: inout JSONObject) {
        let (translation, rotation, scale) = (parts.translation, parts.rotation, parts.scale)
        if translation != .zero { object.put("translation", [translation.x, translation.y, translation.z]) }
        if rotation != [0, 0, 0, 1] { object.put("rotation", [rotation.x, rotation.y, rotation.z, rotation.w]) }
        if scale != .one { object.put("scale", [scale.x, scale.y, scale.z]) }
    }

    private mutating func put(
        _ instance: Instance, in object: inout JSONObject, at place: Int
    ) throws(SceneExportError) {
        switch instance {
        case .geometry, .controller:
            let skin = boundSkins[place]
            guard
                let mesh = try meshes.mesh(
                    of: instance, turned: skin?.turned ?? [], materials: &materials, &buffer, &report)
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
                    asset.put("generator", options.generator)
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
        text.put("images", materials.images)
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
                        if options.container == .text { object.put("uri", Self.binaryName(path)) }
                        object.put("byteLength", buffer.count)
                    })
                root.put("buffers", buffers)
            }
            var used = materials.extensions
            if optics.lights.count > 0 {
                used.insert("KHR_lights_punctual")
            }
            if !used.isEmpty { root.put("extensionsUsed", used.sorted()) }
        }
        return text
    }

    // MARK: - Files

    /// - Source: glTF 2.0, 4.4, "Binary glTF Layout".
    private mutating func writeBinary(_ text: JSONText) throws(SceneExportError) {
        let size = text.size
        let padding = (4 - size % 4) % 4
        let length = 12 + 8 + size + padding + (buffer.count > 0 ? 8 + buffer.count : 0)
        guard length <= options.byteLimit, let whole = UInt32(exactly: length) else {
            let most = min(options.byteLimit, Int(UInt32.max))
            throw SceneExportError(
                .convertTooLarge, "the .glb would have \(length) bytes; it may have \(most) at most: write a .gltf")
        }
        try budget.check(output: length)
        let file = try ExportFile(path)
        try file.write([0x4654_6C67, 2, whole, UInt32(size + padding), 0x4E4F_534A].map(\.littleEndian))
        try text.write(to: file)
        try file.write([UInt8](repeating: UInt8(ascii: " "), count: padding))
        if buffer.count > 0 {
            try file.write([UInt32(buffer.count), 0x004E_4942].map(\.littleEndian))
            try file.write(contentsOf: numbers)
        }
        try ExportFile.commit([file])
        report.contents.bytes = length
    }

    private mutating func writeText(_ text: JSONText) throws(SceneExportError) {
        try budget.check(output: text.size + buffer.count)
        let file = try ExportFile(path)
        try text.write(to: file)
        try ExportFile.commit(buffer.count > 0 ? [numbers, file] : [file])
        report.contents.bytes = text.size + buffer.count
    }

    private static func binaryName(_ path: String) -> String {
        let name = GLTFExport.binaryPath(of: path).split(separator: "/").last.map(String.init) ?? "buffer.bin"
        return name.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            let digits = Array("0123456789ABCDEF")
            return isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
    }
}

extension GLTFOptions {
    /// What the file of a scene is in.
    fileprivate func system(of scene: Scene) -> CoordinateSystem {
        let meters: Double =
            switch units {
            case .meters: 1
            case .kept: scene.metersPerUnit
            }
        let up: Scene.UpAxis =
            switch upAxis {
            case .y: .y
            case .z: .z
            case .kept: scene.upAxis
            }
        return CoordinateSystem(metersPerUnit: meters, upAxis: up)
    }
}

extension Matrix4 {
    /// Column by column.
    fileprivate var columnDoubles: [Double] {
        var numbers: [Double] = []
        numbers.reserveCapacity(16)
        for column in [columns.0, columns.1, columns.2, columns.3] {
            for lane in 0..<4 { numbers.append(column[lane]) }
        }
        return numbers
    }
}
