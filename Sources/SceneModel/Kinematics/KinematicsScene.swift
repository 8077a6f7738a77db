/// Models and systems that move together.
public struct KinematicsScene: Sendable, Equatable {
    public enum Instance: Sendable, Equatable {
        case model(KinematicsModelInstance)
        /// `nil` when the system does not exist.
        case system(sid: String?, name: String?, SceneIndex<ArticulatedSystem>?)
    }
    public var id: String?
    public var name: String?
    public var instances: [Instance]

    public init(id: String?, name: String?, instances: [Instance] = []) {
        self.id = id
        self.name = name
        self.instances = instances
    }
}

/// A kinematics scene put to use: which nodes its joints move.
public struct KinematicsSceneInstance: Sendable, Equatable {
    public struct ModelBinding: Sendable, Equatable {
        public var model: SceneIndex<KinematicsModel>
        /// Which of the scene's instances; `nil` where the file does not say.
        public var instance: Int?
        public var node: SceneIndex<Node>

        public init(model: SceneIndex<KinematicsModel>, instance: Int?, node: SceneIndex<Node>) {
            self.model = model
            self.instance = instance
            self.node = node
        }
    }
    public struct AxisBinding: Sendable, Equatable {
        public var axis: JointAxisReference
        /// Which of the scene's instances; `nil` where the file does not say.
        public var instance: Int?
        /// `nil` when none is named, or it does not exist.
        public var node: SceneIndex<Node>?
        /// The transform of that node which the axis drives; `nil` when the whole node is named.
        public var transform: Int?
        /// Where the axis stands: degrees or a length of the scene's unit, which that of the node may differ from; `nil` where the file does not say.
        public var value: Double?

        public init(
            axis: JointAxisReference, instance: Int?, node: SceneIndex<Node>?, transform: Int?, value: Double?
        ) {
            self.axis = axis
            self.instance = instance
            self.node = node
            self.transform = transform
            self.value = value
        }
    }
    /// `nil` when the scene does not exist.
    public var scene: SceneIndex<KinematicsScene>?
    public var models: [ModelBinding]
    public var axes: [AxisBinding]

    public init(scene: SceneIndex<KinematicsScene>?, models: [ModelBinding] = [], axes: [AxisBinding] = []) {
        self.scene = scene
        self.models = models
        self.axes = axes
    }
}
