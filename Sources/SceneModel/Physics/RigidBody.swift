/// A part of a physics model that moves as one.
public struct RigidBody: Sendable, Equatable {
    public var id: String?
    public var sid: String?
    public var name: String?
    public var properties: RigidBodyProperties

    public init(id: String?, sid: String?, name: String?, properties: RigidBodyProperties) {
        self.id = id
        self.sid = sid
        self.name = name
        self.properties = properties
    }
}

/// What a body is; an instance of it may say some of it anew. `nil` where the file leaves it out.
public struct RigidBodyProperties: Sendable, Equatable {
    public enum Motion: Sendable, Equatable {
        /// Forces move it.
        case dynamic
        /// It stays, or is moved by its node alone.
        case fixed
    }
    public var motion: Motion?
    public var mass: Double?
    /// From the frame of the centre of mass to the body's space.
    public var massFrame: Matrix4?
    /// Moments about the axes of the mass frame.
    public var inertia: SIMD3<Double>?
    public var material: SceneIndex<PhysicsMaterial>?
    public var shapes: [PhysicsShape]

    public init(
        motion: Motion?, mass: Double?, massFrame: Matrix4?, inertia: SIMD3<Double>?,
        material: SceneIndex<PhysicsMaterial>?, shapes: [PhysicsShape]
    ) {
        self.motion = motion
        self.mass = mass
        self.massFrame = massFrame
        self.inertia = inertia
        self.material = material
        self.shapes = shapes
    }
}
