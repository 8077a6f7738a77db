import DaeDiagnostics
import DaeScene

/// The nodes of a drawing's scene, unfolded, and what of them moves each instance.
struct DrawingStage: Sendable {
    struct Instance: Sendable {
        /// Of the node that shows it.
        let place: Int
        /// Where the mesh is written about; `nil` for its own origin.
        let origin: SIMD3<Double>?
        let rig: Rig?
        let inverseBinds: [Matrix4]
        let morphs: MorphChain?
    }

    private(set) var unfolded = UnfoldedScene()
    /// Places whose instances are drawn.
    private(set) var shown: [Int] = []
    private var instances: [Instance] = []
    /// By place, whether it turns left to right on the way to the world, at rest.
    private var mirrored: [Bool] = []
    /// Without what only meshes and pictures need.
    private let scene: Scene
    private let evaluator: PoseEvaluator
    /// From the document's units and axes to the world's.
    private let conversion: Matrix4
    private let roots: [SceneIndex<Node>]

    /// - Parameter system: Of the world; `nil` for the scene's own.
    init(of scene: Scene, in system: CoordinateSystem?) {
        let (written, roots) = scene.unconverted
        conversion = written.conversion(to: system ?? scene.coordinateSystem).settled
        self.roots = roots
        var kept = scene
        (kept.geometries, kept.images) = ([], [])
        self.scene = kept
        evaluator = PoseEvaluator(scene: kept, channels: kept.channels)
    }

    mutating func unfold(_ scene: Scene, limit: Int, _ isCancelled: () -> Bool) throws(SceneExportError) {
        let hidden = HiddenNodes(of: scene)
        var stack = roots.reversed().map { (node: $0, parent: -1, isHidden: false) }
        while let (node, parent, isBelowHidden) = stack.popLast() {
            guard unfolded.count < limit else {
                throw SceneExportError(.sceneNodeCountExceeded, "the scene unfolds to more than \(limit) nodes")
            }
            if unfolded.count % 4096 == 0, isCancelled() { throw SceneExportError.stopped }
            let place = unfolded.add(node.value, below: parent)
            mirrored.append((parent < 0 ? false : mirrored[parent]) != evaluator.locals[node.value].isMirroring)
            let isHidden = isBelowHidden || hidden.contains(node.value)
            if !isHidden, !scene.nodes[node].instances.isEmpty { shown.append(place) }
            for child in scene.nodes[node].children.reversed() { stack.append((child, place, isHidden)) }
        }
        unfolded.close(nodes: scene.nodes.count)
    }

    mutating func add(_ instance: Instance) { instances.append(instance) }

    func isMirrored(_ place: Int) -> Bool { mirrored[place] }

    mutating func rig(of skeleton: Skeleton, at place: Int, _ scene: Scene) -> Rig {
        Rig(skeleton, at: place, in: &unfolded, of: scene)
    }

    /// Which of a rig's joints turn what they move left to right.
    func prepared(_ rig: Rig, at place: Int) -> PreparedRig {
        let turned: Bool =
            switch rig.carrier {
            case .none: false
            case .places(let carrying, let below):
                mirrored[carrying]
                    != (unfolded.frame(of: carrying, below: below, in: scene).map { mirrored[$0] } ?? false)
            }
        return PreparedRig(
            joints: rig.joints.map { $0.map { .init(place: $0, isMirrored: mirrored[$0] != turned) } },
            isMirrored: mirrored[place])
    }

    // MARK: - Poses

    func pose(at time: Double?) -> DrawnPose {
        let (evaluator, worlds) = moved(to: time)
        var pose = DrawnPose()
        for instance in instances {
            let origin = instance.origin.map { Matrix4(translation: $0) }
            func placed(_ matrix: Matrix4) -> Matrix4 { origin.map { matrix * $0 } ?? matrix }
            let still = placed(worlds[instance.place])
            pose.transforms.append(still)
            pose.weights.append(instance.morphs.map { weights(of: $0, evaluator) } ?? [])
            pose.joints.append(joints(of: instance, worlds, still, placed))
        }
        return pose
    }

    /// By place, from the node to the world.
    func worlds(at time: Double?) -> [Matrix4] { moved(to: time).worlds }

    private func moved(to time: Double?) -> (evaluator: PoseEvaluator, worlds: [Matrix4]) {
        var evaluator = evaluator
        if let time { evaluator.move(to: time) }
        return (evaluator, worlds(evaluator.locals))
    }

    private func worlds(_ locals: [Matrix4]) -> [Matrix4] {
        var worlds: [Matrix4] = []
        worlds.reserveCapacity(unfolded.count)
        for place in 0..<unfolded.count {
            let around = unfolded.parent(of: place).map { worlds[$0] } ?? conversion
            worlds.append(around * locals[unfolded.node(at: place).value].settled)
        }
        return worlds
    }

    private func joints(
        of instance: Instance, _ worlds: [Matrix4], _ still: Matrix4, _ placed: (Matrix4) -> Matrix4
    ) -> [Matrix4] {
        guard let rig = instance.rig else { return [] }
        var carrier: Matrix4?
        if case .places(let carrying, let below) = rig.carrier {
            let frame = unfolded.frame(of: carrying, below: below, in: scene).map { worlds[$0] } ?? conversion
            carrier = worlds[carrying] * (frame.inverse ?? .identity)
        }
        var matrices = instance.inverseBinds.enumerated().map { index, inverse in
            guard index < rig.joints.count, let joint = rig.joints[index] else { return still }
            let world = worlds[joint]
            return placed((carrier.map { $0 * world } ?? world) * inverse)
        }
        // Behind them, what moves a vertex that no joint does.
        matrices.append(still)
        return matrices
    }

    private func weights(of morphs: MorphChain, _ evaluator: PoseEvaluator) -> [Double] {
        morphs.weights(levels: morphs.controllers.map { evaluator.morphWeights(of: $0) })
    }
}
