// Where a skin or a morph puts a mesh is only known vertex by vertex. Scenes without any never come here.

/// The box around all meshes that controllers deform, at rest.
struct PosedBounds {
    private(set) var box: Bounds?
    /// Whether all could be looked at.
    private(set) var isExact = true

    private let scene: Scene
    private let deformer: Deformer
    private let locals: [Matrix4]
    private var unfolded: UnfoldedScene
    /// By place; some of those that were asked for.
    private var worlds: [Int: Matrix4] = [:]
    private static let mostWorlds = 1 << 16
    /// What may still be done, in what an influence takes.
    private var work: Int
    // Of the same: what each instance and controller of its chain, joint and vertex takes.
    private static let instanceCost = 256
    private static let jointCost = 32
    private static let vertexCost = 4

    /// By controller, of those that were met: what one instance takes.
    private var costs: [Int: Int] = [:]

    /// - Parameter scene: Its unfolded nodes must have been counted and found few enough to walk (``SceneCensus``).
    init(of scene: Scene, without hidden: HiddenNodes, work: Int = 1 << 27) {
        self.scene = scene
        self.work = work
        let pose = PoseEvaluator(scene: scene, channels: [])
        deformer = Deformer(scene: scene, pose: pose)
        locals = pose.locals
        unfolded = UnfoldedScene(of: scene)
        /// By place; empty where nothing is hidden.
        var isHidden: [Bool] = []
        for place in 0..<unfolded.count {
            if !hidden.isEmpty {
                // Parents come first.
                let isBelow = unfolded.parent(of: place).map { isHidden[$0] } ?? false
                isHidden.append(isBelow || hidden.contains(unfolded.node(at: place).value))
                if isHidden[place] { continue }
            }
            for instance in scene.nodes[unfolded.node(at: place)].instances {
                guard case .controller(let controller, let skeleton, materials: _) = instance else { continue }
                add(controller, skeleton, at: place)
            }
        }
    }

    private mutating func add(_ controller: SceneIndex<Controller>, _ skeleton: Skeleton, at place: Int) {
        guard let base = scene.controllers[controller.value].base else { return }
        let cost = cost(of: controller.value, base)
            .addingSaturated(skeleton.joints.count * Self.jointCost + Self.instanceCost)
        guard cost <= work else {
            isExact = false
            let shape = world(of: place) * scene.controllers[controller.value].bindShape
            if let own = scene.geometries[base.value].measure.bounds { unite(own.transformed(by: shape)) }
            return
        }
        work -= cost
        let placed = Rig(skeleton, at: place, in: &unfolded, of: scene)
        var joints: [Matrix4?] = []
        for joint in placed.joints { joints.append(joint.map { world(of: $0) }) }
        let carrier: Matrix4 =
            switch placed.carrier {
            case .none: .identity
            case .places(let lower, let below):
                world(of: lower)
                    * (unfolded.frame(of: lower, below: below, in: scene).map { world(of: $0) }?.inverse ?? .identity)
            }
        let rig = Deformer.PosedRig(joints: joints, carrier: carrier)
        guard let points = deformer.positions(of: controller, rig, placedBy: world(of: place)) else {
            isExact = false
            return
        }
        let geometry = scene.geometries[base.value]
        for index in 0..<points.count / 3 where geometry.uses(index) {
            let point = SIMD3(points[3 * index], points[3 * index + 1], points[3 * index + 2])
            // Not finite ones were reported when they were read, or lie beyond all numbers.
            if point.isFinite { unite(Bounds(point)) }
        }
    }

    private mutating func unite(_ other: Bounds) {
        guard other.min.isFinite, other.max.isFinite else { return }
        if box == nil { box = other } else { box?.formUnion(other) }
    }

    /// Each controller is looked at once, however many chains it is in: these may be long.
    private mutating func cost(of controller: Int, _ base: SceneIndex<Geometry>) -> Int {
        // Fewer than there are bytes, of which there may be some trillions.
        let vertices = scene.geometries[base.value].measure.positions * Self.vertexCost
        var path: [Int] = []
        var next = Optional(controller)
        var cost = vertices
        while let index = next, scene.controllers.indices.contains(index) {
            if let known = costs[index] {
                cost = known
                break
            }
            // A cycle ends here.
            costs[index] = vertices
            path.append(index)
            switch scene.controllers[index].source {
            case .controller(let below): next = below.value
            case .geometry, nil: next = nil
            }
        }
        for index in path.reversed() {
            cost = cost.addingSaturated(Self.instanceCost).addingSaturated(ownCost(of: index, vertices))
            costs[index] = cost
        }
        return cost
    }

    private func ownCost(of index: Int, _ vertices: Int) -> Int {
        switch scene.controllers[index].kind {
        case .skin(let skin):
            return vertices.addingSaturated(skin.influences.indices.count)
        case .morph(let morph):
            let (product, overflow) = vertices.multipliedReportingOverflow(by: 1 + morph.targets.count)
            return overflow ? .max : product
        case nil: return 0
        }
    }

    private mutating func world(of place: Int) -> Matrix4 {
        var path: [Int] = []
        var next = Optional(place)
        var world = Matrix4.identity
        while let at = next {
            if let known = worlds[at] {
                world = known
                break
            }
            path.append(at)
            next = unfolded.parent(of: at)
        }
        work -= path.count
        if worlds.count + path.count > Self.mostWorlds { worlds.removeAll(keepingCapacity: true) }
        for at in path.reversed() {
            world = world * locals[unfolded.node(at: at).value]
            worlds[at] = world
        }
        return world
    }
}

extension Scene {
    /// Whether a controller draws a mesh anywhere; unused ones are found, too.
    var drawsDeformed: Bool {
        guard !controllers.isEmpty else { return false }
        return nodes.contains { node in
            node.instances.contains { instance in
                switch instance {
                case .controller(let controller, skeleton: _, materials: _): controllers[controller.value].base != nil
                case .geometry, .camera, .light: false
                }
            }
        }
    }
}
