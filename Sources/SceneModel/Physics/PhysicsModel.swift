/// Bodies and what ties them, as something that may be instanced.
public struct PhysicsModel: Sendable, Equatable {
    public var id: String?
    public var name: String?
    public var bodies: [RigidBody]
    public var constraints: [RigidConstraint]
    /// Models within this one. Never lead back to it.
    public var instances: [PhysicsModelInstance]

    public init(
        id: String?, name: String?, bodies: [RigidBody] = [], constraints: [RigidConstraint] = [],
        instances: [PhysicsModelInstance] = []
    ) {
        self.id = id
        self.name = name
        self.bodies = bodies
        self.constraints = constraints
        self.instances = instances
    }
}

/// A body by its model and its place there.
public struct RigidBodyReference: Sendable, Equatable {
    public let model: SceneIndex<PhysicsModel>
    public let body: SceneIndex<RigidBody>

    public init(model: SceneIndex<PhysicsModel>, body: SceneIndex<RigidBody>) {
        self.model = model
        self.body = body
    }
}

/// A constraint by its model and its place there.
public struct RigidConstraintReference: Sendable, Equatable {
    public let model: SceneIndex<PhysicsModel>
    public let constraint: SceneIndex<RigidConstraint>

    public init(model: SceneIndex<PhysicsModel>, constraint: SceneIndex<RigidConstraint>) {
        self.model = model
        self.constraint = constraint
    }
}

/// A model put to use in a scene or in another model.
public struct PhysicsModelInstance: Sendable, Equatable {
    public var sid: String?
    public var name: String?
    /// `nil` when the model does not exist.
    public var model: SceneIndex<PhysicsModel>?
    /// The node that the bodies' nodes are placed against; `nil` for the world.
    public var parent: SceneIndex<Node>?
    public var bodies: [RigidBodyInstance]
    /// The constraints that are put to use; those that do not exist are left out.
    public var constraints: [RigidConstraintReference]

    public init(
        sid: String?, name: String?, model: SceneIndex<PhysicsModel>?, parent: SceneIndex<Node>?,
        bodies: [RigidBodyInstance] = [], constraints: [RigidConstraintReference] = []
    ) {
        self.sid = sid
        self.name = name
        self.model = model
        self.parent = parent
        self.bodies = bodies
        self.constraints = constraints
    }
}

/// A body put to use: it moves a node.
public struct RigidBodyInstance: Sendable, Equatable {
    public var sid: String?
    public var name: String?
    /// `nil` when the body does not exist.
    public var body: RigidBodyReference?
    /// `nil` when no node is named, or it does not exist.
    public var node: SceneIndex<Node>?
    /// A length a second.
    public var velocity: SIMD3<Double>
    /// Degrees a second.
    public var angularVelocity: SIMD3<Double>
    /// What this instance says anew.
    public var overrides: RigidBodyProperties

    public init(
        sid: String?, name: String?, body: RigidBodyReference?, node: SceneIndex<Node>?, velocity: SIMD3<Double>,
        angularVelocity: SIMD3<Double>, overrides: RigidBodyProperties
    ) {
        self.sid = sid
        self.name = name
        self.body = body
        self.node = node
        self.velocity = velocity
        self.angularVelocity = angularVelocity
        self.overrides = overrides
    }
}
