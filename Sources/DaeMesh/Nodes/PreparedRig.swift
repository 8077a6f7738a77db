package import DaeScene

/// The joints of one instance of a skin in the tree.
struct PreparedRig {
    struct Joint {
        let place: Int
        /// Whether it turns left to right on the way to the world.
        let isMirrored: Bool
    }
    /// `nil` for one that is not there.
    let joints: [Joint?]
    /// The same of the instance's own node, which moves what no joint does.
    let isMirrored: Bool

    /// For each joint of a skin, and behind them for what no joint moves, whether its vertices come out mirrored; empty
    /// where none does.
    func turned(_ skin: Skin) -> [Bool] {
        let shape = skin.bindShape.isMirroring
        let turned = skin.joints.indices.map { place in
            guard place < joints.count, let joint = joints[place] else { return isMirrored != shape }
            let inverse = place < skin.inverseBinds.count && skin.inverseBinds[place].isMirroring
            return (joint.isMirrored != inverse) != shape
        }
        return turned.contains(true) || isMirrored != shape ? turned + [isMirrored != shape] : []
    }
}

// Chains of controllers may be long, and shown thousands of times: what each leads to is found once for all of them.

/// For each controller of a scene, the nearest one of its chain that is of some kind, itself first.
struct NearestControllers {
    /// −1 for none.
    private let found: [Int32]

    /// - Parameter isMeant: Whether a controller, by its place, is of that kind.
    init(of scene: Scene, where isMeant: (Int) -> Bool) {
        var found = [Int32?](repeating: nil, count: scene.controllers.count)
        for start in found.indices where found[start] == nil {
            var path: [Int] = []
            var result: Int32 = -1
            var next = Optional(start)
            while let index = next, found.indices.contains(index) {
                if let known = found[index] {
                    result = known
                    break
                }
                path.append(index)
                if isMeant(index) {
                    result = Int32(clamping: index)
                    break
                }
                // A cycle ends here.
                found[index] = -1
                switch scene.controllers[index].source {
                case .controller(let below): next = below.value
                case .geometry, nil: next = nil
                }
            }
            for index in path { found[index] = result }
        }
        self.found = found.map { $0 ?? -1 }
    }

    /// The skins whose joints instances are bound to, as ``Scene/skin(of:)`` finds them; `nil` where there are none.
    static func skins(of scene: Scene) -> NearestControllers? {
        guard scene.controllers.contains(where: \.isSkin) else { return nil }
        return NearestControllers(of: scene) { scene.controllers[$0].isSkin }
    }

    subscript(controller: SceneIndex<Controller>) -> SceneIndex<Controller>? {
        guard found.indices.contains(controller.value), found[controller.value] >= 0 else { return nil }
        return SceneIndex(Int(found[controller.value]))
    }

    func has(_ controller: SceneIndex<Controller>) -> Bool { self[controller] != nil }
}

/// What a scene's channels move that formats can move.
struct MovingParts {
    private var nodes = Set<Int>()
    /// Controllers whose morph has weights that move.
    private var morphs = Set<Int>()
    /// By controller, whether such a one is in its chain; `nil` where no weights move.
    private var blended: NearestControllers?

    init(of scene: Scene) {
        for animation in scene.animations {
            for channel in animation.channels {
                switch channel.target {
                case .transform(let node, at: _, _): nodes.insert(node.value)
                case .morphWeight(let controller, at: _): morphs.insert(controller.value)
                case .material, .camera, .light: break
                }
            }
        }
        let morphs = morphs
        if !morphs.isEmpty { blended = NearestControllers(of: scene) { morphs.contains($0) } }
    }

    /// What of a node moves.
    enum Extent {
        case nothing
        /// The weights of what it shows: a channel leads to it, but not to its transform.
        case weights
        case transform
    }

    func extent(of index: SceneIndex<Node>, in scene: Scene) -> Extent {
        if nodes.contains(index.value) { return .transform }
        guard let blended else { return .nothing }
        let showsMoving = scene.nodes[index].instances.contains { instance in
            switch instance {
            case .controller(let controller, skeleton: _, materials: _): blended.has(controller)
            case .geometry, .camera, .light: false
            }
        }
        return showsMoving ? .weights : .nothing
    }
}

// Whether a camera's view is scaled by the nodes around it is read in two ways, so none is: by formats it is not, by some
// engines the view is what undoes all of a node's matrix.

extension PreparedTree {
    /// Gives each camera a node whose scale in the world is 1, before any channel moves it.
    ///
    /// - Returns: Where in the world the nodes that show lights are.
    mutating func frameOptics(of scene: Scene) throws(SceneExportError) -> [Int: SIMD3<Double>] {
        guard !scene.cameras.isEmpty || !scene.lights.isEmpty else { return [:] }
        var lights: [Int: SIMD3<Double>] = [:]
        var cameras: [(place: Int, world: Matrix4)] = []
        // Siblings before children, so that no more wait than a path is long.
        var stack: [(place: Int, parent: Matrix4)] = roots.map { ($0, .identity) }
        while let (place, parent) = stack.popLast() {
            let node = nodes[place]
            let world = parent * matrix(of: node, in: scene)
            if node.nextSibling >= 0 { stack.append((Int(node.nextSibling), parent)) }
            if node.firstChild >= 0 { stack.append((Int(node.firstChild), world)) }
            guard let shown = node.shown else { continue }
            switch scene.nodes[shown.node].instances[shown.place] {
            case .camera: cameras.append((place, world))
            case .light: lights[place] = world.columns.3.spatial
            case .geometry, .controller: break
            }
        }
        for (place, world) in cameras { try moveShown(of: place, into: Self.frames(in: world)) }
        return lights
    }

    /// From some nodes to the world, before any channel moves them.
    package func worlds(of wanted: Set<Int>, in scene: Scene) -> [Int: Matrix4] {
        var worlds: [Int: Matrix4] = [:]
        worlds.reserveCapacity(wanted.count)
        var stack: [(place: Int, parent: Matrix4)] = roots.map { ($0, .identity) }
        while let (place, parent) = stack.popLast() {
            let node = nodes[place]
            let world = parent * matrix(of: node, in: scene)
            if wanted.contains(place) { worlds[place] = world }
            if node.nextSibling >= 0 { stack.append((Int(node.nextSibling), parent)) }
            if node.firstChild >= 0 { stack.append((Int(node.firstChild), world)) }
        }
        return worlds
    }

    /// From a node to the one around it.
    package func matrix(of node: PreparedNode, in scene: Scene) -> Matrix4 {
        switch node.transform {
        case .identity: .identity
        case .own: node.node.map { scene.nodes[$0].matrix.settled } ?? .identity
        case .conversion: conversion
        case .parts(let index): parts[Int(index)].matrix
        }
    }

    /// The same as parts.
    package func rest(of node: PreparedNode, in scene: Scene) -> RigidScale {
        switch node.transform {
        case .parts(let index): parts[Int(index)]
        case .identity, .own, .conversion: RigidScale(nearest: matrix(of: node, in: scene))
        }
    }

    /// How far from 1 a scale must be to be undone: nobody sees less in a view, and rotations in short numbers have as much.
    private static let leastScale = 1e-4

    /// What takes a matrix's scale away from within; nothing where it has none, or cannot be undone.
    private static func frames(in world: Matrix4) -> [RigidScale] {
        if let rigid = RigidScale(world) {
            let scale = 1 / rigid.scale
            guard scale.x.isFinite, scale.y.isFinite, scale.z.isFinite, (scale - 1).size > leastScale else { return [] }
            return [RigidScale(translation: .zero, rotation: [0, 0, 0, 1], scale: scale)]
        }
        // Axes lean: the direction of the view counts, and then what is up.
        guard let inverse = world.inverse, let back = world.columns.2.spatial.unit,
            let up = (world.columns.1.spatial - back * back.dot(world.columns.1.spatial)).unit
        else { return [] }
        let right = up.cross(back)
        let upright = Matrix4(columns: (SIMD4(right, 0), SIMD4(up, 0), SIMD4(back, 0), world.columns.3))
        let frame = inverse * upright
        if let rigid = RigidScale(frame) { return [rigid] }
        let split = ShearSplit(frame)
        return [split.outer, split.inner]
    }
}
