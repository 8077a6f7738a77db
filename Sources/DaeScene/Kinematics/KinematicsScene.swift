/// Models and systems that move together.
package struct KinematicsScene: Sendable, Equatable {
    package enum Instance: Sendable, Equatable {
        case model(KinematicsModelInstance)
        /// `nil` when the system does not exist.
        case system(sid: String?, name: String?, SceneIndex<ArticulatedSystem>?)
    }
    package var id: String?
    package var name: String?
    package var instances: [Instance]

    package init(id: String?, name: String?, instances: [Instance] = []) {
        self.id = id
        self.name = name
        self.instances = instances
    }
}

/// A kinematics scene put to use: which nodes its joints move.
package struct KinematicsSceneInstance: Sendable, Equatable {
    package struct ModelBinding: Sendable, Equatable {
        package var model: SceneIndex<KinematicsModel>
        /// Which of the scene's instances; `nil` where the file does not say.
        package var instance: Int?
        package var node: SceneIndex<Node>

        package init(model: SceneIndex<KinematicsModel>, instance: Int?, node: SceneIndex<Node>) {
            self.model = model
            self.instance = instance
            self.node = node
        }
    }
    package struct AxisBinding: Sendable, Equatable {
        package var axis: JointAxisReference
        /// Which of the scene's instances; `nil` where the file does not say.
        package var instance: Int?
        /// `nil` when none is named, or it does not exist.
        package var node: SceneIndex<Node>?
        /// The transform of that node which the axis drives; `nil` when the whole node is named.
        package var transform: Int?
        /// Where the axis stands: degrees or a length of the scene's unit, which that of the node may differ from; `nil` where the file does not say.
        package var value: Double?

        package init(
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
    package var scene: SceneIndex<KinematicsScene>?
    package var models: [ModelBinding]
    package var axes: [AxisBinding]

    package init(scene: SceneIndex<KinematicsScene>?, models: [ModelBinding] = [], axes: [AxisBinding] = []) {
        self.scene = scene
        self.models = models
        self.axes = axes
    }
}

/// Kinematics models with what a controller needs to know of them: first how they may move, then how fast.
package struct ArticulatedSystem: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case kinematics(models: [KinematicsModelInstance], frames: [KinematicFrame])
        /// Adds speeds to another system; `nil` when that one does not exist. Never leads back to this one.
        case motion(of: SceneIndex<ArticulatedSystem>?, effector: EffectorSpeeds?)
        /// Neither is given.
        case empty
    }
    package var id: String?
    package var name: String?
    package var kind: Kind
    package var axes: [AxisSetting]
    /// OpenRAVE's.
    package var manipulators: [Manipulator]
    /// OpenRAVE's: the class that drives it.
    package var interface: String?

    package init(
        id: String?, name: String?, kind: Kind, axes: [AxisSetting] = [], manipulators: [Manipulator] = [],
        interface: String? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.axes = axes
        self.manipulators = manipulators
        self.interface = interface
    }
}

/// A model put to use.
package struct KinematicsModelInstance: Sendable, Equatable {
    package var sid: String?
    package var name: String?
    /// `nil` when the model does not exist.
    package var model: SceneIndex<KinematicsModel>?

    package init(sid: String?, name: String?, model: SceneIndex<KinematicsModel>?) {
        self.sid = sid
        self.name = name
        self.model = model
    }
}

/// What a system says of one axis; `nil` where it says nothing.
package struct AxisSetting: Sendable, Equatable {
    package var axis: JointAxisReference
    package var isActive: Bool?
    package var isLocked: Bool?
    package var limits: JointLimits?
    /// Degrees or a length, a second.
    package var speed: Double?
    package var acceleration: Double?
    package var deceleration: Double?
    package var jerk: Double?

    package init(axis: JointAxisReference) {
        self.axis = axis
    }
}

/// A frame of a system, fixed to a link.
package struct KinematicFrame: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable {
        case origin = "frame_origin"
        case tip = "frame_tip"
        /// The tool's centre.
        case toolCenter = "frame_tcp"
        case object = "frame_object"
    }
    package var role: Role
    /// `nil` when none is named or it does not exist.
    package var link: LinkReference?
    /// From the frame to the link's, or to the world where there is no link.
    package var matrix: Matrix4

    package init(role: Role, link: LinkReference?, matrix: Matrix4) {
        self.role = role
        self.link = link
        self.matrix = matrix
    }
}

/// A link by its model and its place there.
package struct LinkReference: Sendable, Equatable {
    package let model: SceneIndex<KinematicsModel>
    package let link: SceneIndex<KinematicLink>

    package init(model: SceneIndex<KinematicsModel>, link: SceneIndex<KinematicLink>) {
        self.model = model
        self.link = link
    }
}

/// How fast the end of a chain may go: first a length, then degrees, a second each.
package struct EffectorSpeeds: Sendable, Equatable {
    package var speed: SIMD2<Double>?
    package var acceleration: SIMD2<Double>?
    package var deceleration: SIMD2<Double>?
    package var jerk: SIMD2<Double>?

    package init() {}
}

/// OpenRAVE's arm: the chain between two links, and the joints of the gripper at its end.
package struct Manipulator: Sendable, Equatable {
    package var name: String?
    /// `nil` when the link does not exist.
    package var origin: LinkReference?
    package var tip: LinkReference?
    /// From the tool's frame to the tip's.
    package var tool: Matrix4
    package var direction: SIMD3<Double>?
    package var gripperJoints: [JointReference]

    package init(
        name: String?, origin: LinkReference?, tip: LinkReference?, tool: Matrix4, direction: SIMD3<Double>?,
        gripperJoints: [JointReference]
    ) {
        self.name = name
        self.origin = origin
        self.tip = tip
        self.tool = tool
        self.direction = direction
        self.gripperJoints = gripperJoints
    }
}

/// A joint by its model and its place there.
package struct JointReference: Sendable, Hashable {
    package let model: SceneIndex<KinematicsModel>
    package let joint: SceneIndex<KinematicJoint>

    package init(model: SceneIndex<KinematicsModel>, joint: SceneIndex<KinematicJoint>) {
        self.model = model
        self.joint = joint
    }
}

/// What systems and scenes say of each axis of each model, gathered from where they say it.
package struct AxisFacts: Sendable {
    package struct Facts: Sendable, Hashable {
        /// Those of a system; `nil` where only the joint's own hold.
        package var limits: JointLimits?
        /// Degrees or a length a second.
        package var speed: Double?
        package var isActive: Bool?
        package var isLocked: Bool?
        /// Where the axis stands: degrees or a length.
        package var value: Double?
        /// The nodes it moves, each once, in order.
        package var nodes: [SceneIndex<Node>] = []
    }
    private var facts: [JointAxisReference: Facts] = [:]
    private var modelNodes: [SceneIndex<KinematicsModel>: [SceneIndex<Node>]] = [:]

    package init(_ kinematics: Kinematics) {
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

    package subscript(_ axis: JointAxisReference) -> Facts { facts[axis] ?? Facts() }

    /// The nodes a model is bound to, in order.
    package func nodes(of model: SceneIndex<KinematicsModel>) -> [SceneIndex<Node>] { modelNodes[model] ?? [] }
}
