import DaeDiagnostics
package import DaeScene

/// A scene as formats write it and pictures show it: posed where that is asked for, and unfolded to a tree in the units
/// and axes that the options ask for.
///
/// Meshes, skins and tracks are prepared one by one, as a writer asks for them (``PreparedMesh``, ``PreparedSkin``,
/// ``PreparedAnimations``): all of them together would take more memory than the scene. They are as the format has them
/// by its ``ExportConventions``, and know nothing of it otherwise.
package struct PreparedScene {
    /// Posed where ``ExportOptions/time`` says so; its numbers are those of the document.
    package let scene: Scene
    package let options: ExportOptions
    package let budget: ConversionBudget
    let conventions: ExportConventions
    /// The units and axes of the tree's world.
    package let system: CoordinateSystem
    /// Of the scene, in the units of its document, above 0.
    package let size: Double
    private let moving: MovingParts
    /// The skins that instances are bound to, by controller the nearest of each chain; `nil` where there are none.
    private let skinned: NearestControllers?
    /// Gets more nodes as skins are prepared: no node is final before all of them are.
    package private(set) var tree: PreparedTree
    /// By node of the tree that shows a light, where in the world it stands, in units of ``system``.
    package let lightPlaces: [Int: SIMD3<Double>]
    /// Asked at each node; once it says so nothing is left behind.
    package let isCancelled: () -> Bool

    /// - Parameter report: Gets what nodes lose on the way.
    /// - Complexity: O(unfolded nodes).
    package init(
        _ scene: Scene, for conventions: ExportConventions, options: ExportOptions, budget: ConversionBudget,
        isCancelled: @escaping () -> Bool, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        self.options = options
        self.conventions = conventions
        self.budget = budget
        self.isCancelled = isCancelled
        let written = scene.unconverted.system
        // Only curves and rounded positions are held against it, and every position is read for it.
        let isAsked: Bool =
            switch options.compaction {
            case .none: !scene.animations.isEmpty
            case .quantized, .meshopt: true
            }
        let box = !isAsked ? nil : SceneBounds(of: scene).box
        let size = box.map { $0.size.max() * scene.coordinateSystem.scale(to: written) } ?? 1
        self.size = size > 0 && size.isFinite ? size : 1
        var shown = scene
        if let time = options.time { shown = Self.posed(scene, at: time, &report) }
        switch options.compaction {
        case .none: break
        case .quantized, .meshopt: shown.dropUnusedCoordinates(&report)
        }
        self.scene = shown
        system = options.system(of: self.scene)
        moving = MovingParts(of: self.scene)
        skinned = NearestControllers.skins(of: self.scene)
        var tree = try PreparedTree(
            of: self.scene, in: system, moving: moving, size: self.size, limit: options.nodeLimit, skinned, &report)
        lightPlaces = try tree.frameOptics(of: self.scene)
        self.tree = tree
    }

    static func posed(_ scene: Scene, at time: Double, _ report: inout FidelityReport) -> Scene {
        report.add(.dropped, .animations, count: scene.animations.count)
        note(time, in: scene, &report)
        let (posed, left) = scene.posed(at: time)
        for material in left { report.add(.dropped, .channels, at: scene.materials[material].id) }
        return posed
    }

    /// A moment at which nothing moves any more, or not yet, is mostly a mistake.
    private static func note(_ time: Double, in scene: Scene, _ report: inout FidelityReport) {
        let channels = scene.channels
        guard !channels.contains(where: \.curve.goesOn),
            let first = channels.compactMap({ $0.curve.timeRange?.lowerBound }).min(),
            let last = channels.compactMap({ $0.curve.timeRange?.upperBound }).max(), time < first || time > last
        else { return }
        report.add(
            .approximated, .moment, at: "\(time) s, where the keys are from \(first) to \(last) s",
            deviation: time < first ? first - time : time - last)
    }

    package func checkCancelled() throws(SceneExportError) {
        if isCancelled() { throw SceneExportError.stopped }
    }

    /// What a node of the tree shows.
    package func instance(of node: PreparedNode) -> Instance? {
        node.shown.map { scene.nodes[$0.node].instances[$0.place] }
    }

    /// Shows what a node of the tree shows on a node within it, which has a transform.
    package mutating func moveShown(of place: Int, into frame: RigidScale) throws(SceneExportError) {
        try tree.moveShown(of: place, into: [frame])
    }

    /// Reports what no node of the tree shows, where nothing else was reported about it.
    package func noteTheRest(_ report: inout FidelityReport) {
        scene.noteTheRest(&report) { tree.places.first(of: $0) != nil }
    }

    /// Refuses a scene of which anything was lost that is protected.
    package func checkLosses(_ report: FidelityReport) throws(SceneExportError) {
        try options.checkLosses(report)
    }
}

extension ExportOptions {
    /// Refuses a scene of which anything was lost that is protected.
    package func checkLosses(_ report: FidelityReport) throws(SceneExportError) {
        let losses = report.losses(of: protected)
        guard let loss = losses.first else { return }
        let others = losses.count > 1 ? " and \(losses.count - 1) more" : ""
        throw SceneExportError(
            .convertLoss, "\(loss.count) × \(loss.subject.title(of: loss.change)) (\(loss.change.rawValue))\(others)",
            report: report)
    }
}

// MARK: - Skins

/// A skin where one instance of it stands.
package struct PreparedSkin {
    package let controller: SceneIndex<Controller>
    private let skin: Skin
    /// By joint of the skin, its node of the tree; `nil` for one that is not there.
    private let found: [Int?]
    /// The node of the tree that shows the instance: what no joint moves stays with it.
    private let place: Int
    /// Where the mesh is written about.
    private let origin: Matrix4
    private let rig: PreparedRig

    /// Joints are numbered in 16 bits: influences of those beyond are left out.
    static func jointCount(of skin: Skin) -> Int { min(skin.joints.count, Int(UInt16.max)) }

    /// By joint of the skin, and behind them for what no joint moves, whether its vertices come out mirrored; empty where
    /// none does.
    package var turned: [Bool] { rig.turned(skin) }

    fileprivate init(
        _ controller: SceneIndex<Controller>, _ skin: Skin, _ rig: PreparedRig, at place: Int, of scene: Scene
    ) {
        self.controller = controller
        self.skin = skin
        self.rig = rig
        self.place = place
        let joints = rig.joints
        found = (0..<Self.jointCount(of: skin)).map { $0 < joints.count ? joints[$0]?.place : nil }
        let base = scene.controllers[controller].base
        origin = Matrix4(translation: base.flatMap { scene.farOrigin(of: $0, controller) } ?? .zero)
    }

    /// Joints that no node stands for.
    package var missing: Int { found.count { $0 == nil } }

    /// The nodes of its joints, into those of the tree; some may be the same.
    ///
    /// - Parameter usesBindShape: Whether it has a joint more, for what no joint moves.
    package func joints(usesBindShape: Bool) -> [Int] {
        found.map { $0 ?? place } + (usesBindShape || found.isEmpty ? [place] : [])
    }

    /// What takes the prepared mesh into the space of each of ``joints(usesBindShape:)``.
    package func inverseBinds(usesBindShape: Bool) -> [Matrix4] {
        var matrices: [Matrix4] = []
        matrices.reserveCapacity(found.count + 1)
        for (index, joint) in found.enumerated() {
            let matrix = joint != nil && index < skin.inverseBinds.count ? skin.inverseBinds[index] : .identity
            matrices.append(matrix * origin)
        }
        if usesBindShape || found.isEmpty { matrices.append(origin) }
        return matrices
    }
}

extension PreparedScene {
    package var hasSkins: Bool { skinned != nil }

    /// The skin that a node of the tree shows; `nil` for one that shows none. The tree may get nodes for its joints.
    package mutating func skin(
        at place: Int, _ report: inout FidelityReport
    ) throws(SceneExportError) -> PreparedSkin? {
        guard case .controller(let controller, let skeleton, materials: _)? = instance(of: tree.nodes[place]),
            let found = skinned?[controller], case .skin(let skin) = scene.controllers[found].kind
        else { return nil }
        try budget.bind(joints: max(skin.joints.count, skeleton.joints.count))
        let rig = try tree.rig(of: skeleton, at: place, scene, moving, &report)
        return PreparedSkin(controller, skin, rig, at: place, of: scene)
    }

    /// The nodes of a skin's joints, each once: where several are one, the tree gets nodes that stand in its place.
    package mutating func joints(of skin: PreparedSkin, usesBindShape: Bool) throws(SceneExportError) -> [Int] {
        try tree.distinct(skin.joints(usesBindShape: usesBindShape))
    }
}

extension Scene {
    /// Reports what no format has, where nothing else was reported about it.
    ///
    /// - Parameter isShown: Whether a node is part of what is written.
    func noteTheRest(_ report: inout FidelityReport, isShown: (SceneIndex<Node>) -> Bool) {
        for instance in unresolvedInstances where isShown(instance.node) {
            let subject: FidelitySubject =
                switch instance.kind {
                case .geometry, .controller: .missingMeshes
                case .node: .missingNodes
                case .camera: .missingCameras
                case .light: .missingLights
                }
            report.add(.dropped, subject, at: nodes[instance.node].id ?? nodes[instance.node].name)
        }
        for geometry in geometries where geometry.mesh == nil {
            report.add(.dropped, .otherGeometry, at: geometry.id ?? geometry.name)
        }
        for animation in animations {
            for target in animation.unresolvedTargets { report.add(.dropped, .unresolvedChannels, at: target) }
        }
        report.add(.dropped, .physics, count: physics.scenes.count)
        report.add(.dropped, .kinematics, count: kinematics.scenes.count)
    }
}

// MARK: - Poses

extension Scene {
    /// The scene as its channels have it at one moment, in seconds, and without them: nodes, weights of morphs, materials,
    /// cameras and lights.
    ///
    /// - Returns: The scene, and for each channel of a material that moves nothing in it, that material: one that leads
    ///   into another profile, or does not fit what the material has.
    package func posed(at time: Double) -> (scene: Scene, left: [SceneIndex<Material>]) {
        let channels = channels
        var pose = PoseEvaluator(scene: self, channels: channels)
        pose.move(to: time)
        var scene = self
        scene.animations = []
        scene.clips = []
        var moved = Set<Int>()
        var left: [SceneIndex<Material>] = []
        for (index, channel) in channels.enumerated() {
            switch channel.target {
            case .transform(let node, at: _, _): moved.insert(node.value)
            case .material(let material, let parameter, let member):
                guard scene.materials.indices.contains(material.value) else { continue }
                let values = pose.values(ofChannel: index) ?? []
                if !scene.materials[material.value].set(parameter, member, to: values) { left.append(material) }
            case .morphWeight, .camera, .light: break
            }
        }
        for node in moved where scene.nodes.indices.contains(node) {
            scene.nodes[node].transforms = [.matrix(pose.locals[node])]
            scene.nodes[node].transformSIDs = []
        }
        for index in scene.controllers.indices {
            guard case .morph(var morph) = scene.controllers[index].kind else { continue }
            morph.weights = pose.morphWeights(of: SceneIndex(index))
            scene.controllers[index].kind = .morph(morph)
        }
        for index in scene.cameras.indices { scene.cameras[index] = pose.camera(SceneIndex(index), in: self) }
        for index in scene.lights.indices { scene.lights[index] = pose.light(SceneIndex(index), in: self) }
        return (scene, left)
    }
}

extension Material {
    /// - Returns: Whether there is such a value, and the new one fits it.
    fileprivate mutating func set(
        _ parameter: AnimationTarget.MaterialParameter, _ member: AnimationMember, to values: ArraySlice<Double>
    ) -> Bool {
        guard case .property(let property) = parameter, values.allSatisfy(\.isFinite) else { return false }
        switch properties[property] {
        case .number:
            guard let value = values.first, values.count == 1 else { return false }
            properties[property] = .number(value)
        case .color(var color):
            // The alpha may be left out.
            guard let range = member.range(inVectorOf: 4), range.count == values.count || values.count == 3 else {
                return false
            }
            for (lane, value) in zip(range, values) { color[lane] = value }
            properties[property] = .color(color)
        case .texture, nil: return false
        }
        opacity = Opacity(
            transparent: properties[.transparent], transparency: properties[.transparency]?.number, mode: opacityMode)
        return true
    }
}
