import SceneModel

/// What a scene's channels move that the format can move.
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
