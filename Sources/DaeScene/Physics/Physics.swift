/// The physics of a document: what bodies are made of, how they hang together, and in which scenes they move.
///
/// Lengths and directions are the scene's, in whatever unit and axes the file wrote each part; angles are degrees, masses
/// and times as the file has them (kilograms and seconds). The space of a body is that of its node, taken into the
/// scene's unit and axes.
package struct Physics: Sendable, Equatable {
    /// Those of the library, and those that stand within a body or shape.
    package var materials: [PhysicsMaterial] = []
    package var models: [PhysicsModel] = []
    package var scenes: [PhysicsScene] = []
    /// The scenes that `<scene>` instances, in order.
    package var active: [SceneIndex<PhysicsScene>] = []

    package init() {}

    package var isEmpty: Bool { materials.isEmpty && models.isEmpty && scenes.isEmpty }
}

/// How a surface slides and bounces.
package struct PhysicsMaterial: Sendable, Equatable {
    package var id: String?
    package var name: String?
    package var dynamicFriction: Double?
    /// Share of the speed that is left after a bounce, usually 0...1.
    package var restitution: Double?
    package var staticFriction: Double?

    package init(
        id: String?, name: String?, dynamicFriction: Double?, restitution: Double?, staticFriction: Double?
    ) {
        self.id = id
        self.name = name
        self.dynamicFriction = dynamicFriction
        self.restitution = restitution
        self.staticFriction = staticFriction
    }
}

/// Bodies and what ties them, as something that may be instanced.
package struct PhysicsModel: Sendable, Equatable {
    package var id: String?
    package var name: String?
    package var bodies: [RigidBody]
    package var constraints: [RigidConstraint]
    /// Models within this one. Never lead back to it.
    package var instances: [PhysicsModelInstance]

    package init(
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
package struct RigidBodyReference: Sendable, Equatable {
    package let model: SceneIndex<PhysicsModel>
    package let body: SceneIndex<RigidBody>

    package init(model: SceneIndex<PhysicsModel>, body: SceneIndex<RigidBody>) {
        self.model = model
        self.body = body
    }
}

/// A constraint by its model and its place there.
package struct RigidConstraintReference: Sendable, Equatable {
    package let model: SceneIndex<PhysicsModel>
    package let constraint: SceneIndex<RigidConstraint>

    package init(model: SceneIndex<PhysicsModel>, constraint: SceneIndex<RigidConstraint>) {
        self.model = model
        self.constraint = constraint
    }
}

/// A model put to use in a scene or in another model.
package struct PhysicsModelInstance: Sendable, Equatable {
    package var sid: String?
    package var name: String?
    /// `nil` when the model does not exist.
    package var model: SceneIndex<PhysicsModel>?
    /// The node that the bodies' nodes are placed against; `nil` for the world.
    package var parent: SceneIndex<Node>?
    package var bodies: [RigidBodyInstance]
    /// The constraints that are put to use; those that do not exist are left out.
    package var constraints: [RigidConstraintReference]

    package init(
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
package struct RigidBodyInstance: Sendable, Equatable {
    package var sid: String?
    package var name: String?
    /// `nil` when the body does not exist.
    package var body: RigidBodyReference?
    /// `nil` when no node is named, or it does not exist.
    package var node: SceneIndex<Node>?
    /// A length a second.
    package var velocity: SIMD3<Double>
    /// Degrees a second.
    package var angularVelocity: SIMD3<Double>
    /// What this instance says anew.
    package var overrides: RigidBodyProperties

    package init(
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

/// Models that move together under one gravity.
package struct PhysicsScene: Sendable, Equatable {
    package var id: String?
    package var name: String?
    /// A length a second, each second; `nil` where the file gives none.
    package var gravity: SIMD3<Double>?
    /// Seconds.
    package var timeStep: Double?
    package var instances: [PhysicsModelInstance]

    package init(
        id: String?, name: String?, gravity: SIMD3<Double>?, timeStep: Double?, instances: [PhysicsModelInstance] = []
    ) {
        self.id = id
        self.name = name
        self.gravity = gravity
        self.timeStep = timeStep
        self.instances = instances
    }
}

/// One of the volumes that a rigid body is made of.
package struct PhysicsShape: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        case primitive(PhysicsPrimitive)
        case geometry(SceneIndex<Geometry>)
        /// The file gives none, or one that cannot be used.
        case missing
    }
    package enum Filling: Sendable, Equatable {
        case solid, hollow
    }
    package var form: Form
    /// `nil` where the file leaves it out.
    package var filling: Filling?
    package var mass: Double?
    package var density: Double?
    /// Its own; the body's holds where it has none.
    package var material: SceneIndex<PhysicsMaterial>?
    /// From the shape's space to the body's. A mesh is in its own unit and axes there; the matrix takes them over.
    package var matrix: Matrix4

    package init(
        form: Form, filling: Filling?, mass: Double?, density: Double?, material: SceneIndex<PhysicsMaterial>?,
        matrix: Matrix4
    ) {
        self.form = form
        self.filling = filling
        self.mass = mass
        self.density = density
        self.material = material
        self.matrix = matrix
    }
}

/// A volume given by a few numbers. Cylinders and capsules stand along y, with their centre at the origin.
package enum PhysicsPrimitive: Sendable, Equatable {
    /// All points with normal · point + offset = 0; the normal is as long as the file has it.
    case plane(normal: SIMD3<Double>, offset: Double)
    case box(halfExtents: SIMD3<Double>)
    case sphere(radius: Double)
    case ellipsoid(size: SIMD3<Double>)
    /// Radii along x and z.
    case cylinder(height: Double, radii: SIMD2<Double>)
    /// The height is without the caps; radii along x and z, and since 1.5 the caps' own along y.
    case capsule(height: Double, radii: SIMD2<Double>, cap: Double?)
    /// 1.4: radii along x and z at +height/2, then at −height/2.
    case taperedCylinder(height: Double, upper: SIMD2<Double>, lower: SIMD2<Double>)
    case taperedCapsule(height: Double, upper: SIMD2<Double>, lower: SIMD2<Double>)

    /// COLLADA's name.
    package var name: String {
        switch self {
        case .plane: "plane"
        case .box: "box"
        case .sphere: "sphere"
        case .ellipsoid: "ellipsoid"
        case .cylinder: "cylinder"
        case .capsule: "capsule"
        case .taperedCylinder: "tapered_cylinder"
        case .taperedCapsule: "tapered_capsule"
        }
    }

    /// Whether each of its lengths is above 0 (a taper may end in a point), and a plane has a direction.
    package var isValid: Bool {
        switch self {
        case .plane(let normal, _): normal != .zero
        case .box(let half): half.isPositive
        case .sphere(let radius): radius > 0
        case .ellipsoid(let size): size.isPositive
        case .cylinder(let height, let radii): height > 0 && radii.isPositive
        case .capsule(let height, let radii, let cap): height > 0 && radii.isPositive && cap ?? 1 > 0
        case .taperedCylinder(let height, let upper, let lower), .taperedCapsule(let height, let upper, let lower):
            height > 0 && upper.min() >= 0 && lower.min() >= 0 && upper + lower != .zero
        }
    }
}

extension SIMD where Scalar == Double {
    fileprivate var isPositive: Bool { indices.allSatisfy { self[$0] > 0 } }
}

/// A part of a physics model that moves as one.
package struct RigidBody: Sendable, Equatable {
    package var id: String?
    package var sid: String?
    package var name: String?
    package var properties: RigidBodyProperties

    package init(id: String?, sid: String?, name: String?, properties: RigidBodyProperties) {
        self.id = id
        self.sid = sid
        self.name = name
        self.properties = properties
    }
}

/// What a body is; an instance of it may say some of it anew. `nil` where the file leaves it out.
package struct RigidBodyProperties: Sendable, Equatable {
    package enum Motion: Sendable, Equatable {
        /// Forces move it.
        case dynamic
        /// It stays, or is moved by its node alone.
        case fixed
    }
    package var motion: Motion?
    package var mass: Double?
    /// From the frame of the centre of mass to the body's space.
    package var massFrame: Matrix4?
    /// Moments about the axes of the mass frame.
    package var inertia: SIMD3<Double>?
    package var material: SceneIndex<PhysicsMaterial>?
    package var shapes: [PhysicsShape]

    package init(
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

/// Ties two bodies to each other, or one to a node or the world.
package struct RigidConstraint: Sendable, Equatable {
    package enum Anchor: Sendable, Equatable {
        case body(RigidBodyReference)
        case node(SceneIndex<Node>)
        /// Nothing is named.
        case world
        /// What is named does not exist.
        case lost
    }
    package struct Attachment: Sendable, Equatable {
        package var anchor: Anchor
        /// From the constraint's frame to the space of what it hangs on.
        package var matrix: Matrix4

        package init(anchor: Anchor, matrix: Matrix4) {
            self.anchor = anchor
            self.matrix = matrix
        }
    }
    package var sid: String?
    package var name: String?
    package var reference: Attachment
    package var attachment: Attachment
    package var settings: RigidConstraintSettings

    package init(
        sid: String?, name: String?, reference: Attachment, attachment: Attachment, settings: RigidConstraintSettings
    ) {
        self.sid = sid
        self.name = name
        self.reference = reference
        self.attachment = attachment
        self.settings = settings
    }
}

/// How far a constraint lets move, and what pulls back. Values the file leaves out have COLLADA's defaults.
package struct RigidConstraintSettings: Sendable, Equatable {
    /// Least and greatest values about or along x, y and z; infinite where free.
    package struct Range: Sendable, Equatable {
        package var min = SIMD3<Double>.zero
        package var max = SIMD3<Double>.zero

        package init(min: SIMD3<Double> = .zero, max: SIMD3<Double> = .zero) {
            self.min = min
            self.max = max
        }
    }
    package struct Spring: Sendable, Equatable {
        package var stiffness = 1.0
        package var damping = 0.0
        /// The value at rest: degrees or a length.
        package var target = 0.0

        package init(stiffness: Double = 1, damping: Double = 0, target: Double = 0) {
            self.stiffness = stiffness
            self.damping = damping
            self.target = target
        }
    }
    package var isEnabled = true
    /// Whether the two may pass through each other.
    package var interpenetrates = false
    /// Degrees; `nil` where the file leaves it out.
    package var swingConeAndTwist: Range?
    package var linear: Range?
    package var angularSpring: Spring?
    package var linearSpring: Spring?

    package init() {}
}
