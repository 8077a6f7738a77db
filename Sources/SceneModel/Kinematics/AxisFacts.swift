/// What systems and scenes say of each axis of each model, gathered from where they say it.
public struct AxisFacts: Sendable {
    public struct Facts: Sendable, Hashable {
        /// Those of a system; `nil` where only the joint's own hold.
        public var limits: JointLimits?
        /// Degrees or a length a second.
        public var speed: Double?
        public var isActive: Bool?  // as the file says
        public var isLocked: Bool?  // as the file says
        /// Where the axis stands: degrees or a length.
        public var value: Double?
        /// The nodes it moves, each once, in order.
        public var nodes: [SceneIndex<Node>] = []
    }
    private var facts: [JointAxisReference: Facts] = [:]
    private var modelNodes: [SceneIndex<KinematicsModel>: [SceneIndex<Node>]] = [:]

    public init(_ kinematics: Kinematics) {
        for setting in kinematics.systems.lazy.flatMap(\.axes) {
            var known = facts[setting.axis] ?? Facts()
            known.limits = setting.limits ?? known.limits
            known.speed = setting.speed ?? known.speed
            known.isActive = setting.isActive ?? known.isActive
            known.isLocked = setting.isLocked ?? known.isLocked
            facts[setting.axis] = known
        }
        struct Move: Hashable {
            let axis: JointAxisReference
            let node: SceneIndex<Node>
        }
        var seen: Set<Move> = []
        for scene in kinematics.active {
            for binding in scene.axes {
                if let value = binding.value { facts[binding.axis, default: Facts()].value = value }
                guard let node = binding.node, seen.insert(Move(axis: binding.axis, node: node)).inserted else {
                    continue
                }
                facts[binding.axis, default: Facts()].nodes.append(node)
            }
            for binding in scene.models { modelNodes[binding.model, default: []].append(binding.node) }
        }
    }

    public subscript(_ axis: JointAxisReference) -> Facts { facts[axis] ?? Facts() }

    /// The nodes a model is bound to, in order.
    public func nodes(of model: SceneIndex<KinematicsModel>) -> [SceneIndex<Node>] { modelNodes[model] ?? [] }
}
