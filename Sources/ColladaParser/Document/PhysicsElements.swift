public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct PhysicsMaterial: Sendable {
        public var position: XMLPosition
        public var material: SceneModel.PhysicsMaterial
        public var extras: [Extra]
    }

    /// Only its techniques say what a force field does.
    public struct ForceField: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var extras: [Extra]
    }

    public struct PhysicsModel: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var bodies: [RigidBody]
        public var constraints: [RigidConstraint]
        public var instances: [InstancePhysicsModel]
        public var extras: [Extra]
    }

    public struct RigidBody: Sendable {
        /// Since 1.5.
        public var id: String?
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var properties: RigidBodyProperties
        public var extras: [Extra]
    }

    /// What a rigid body is, or what an instance of it says anew; `nil` where the file says nothing.
    public struct RigidBodyProperties: Sendable {
        public var motion: SceneModel.RigidBodyProperties.Motion?
        public var mass: Double?
        /// Translations and rotations; `nil` without a `<mass_frame>`.
        public var massFrame: [Transform]?
        public var inertia: SIMD3<Double>?
        public var material: MaterialOfBody?
        public var shapes: [Shape] = []
    }

    /// Where a body or shape has its material from.
    public enum MaterialOfBody: Sendable {
        /// Into ``ColladaDocument/physicsMaterials``: it stands within.
        case own(Int)
        case instance(Reference)
    }

    public struct Shape: Sendable {
        public enum Form: Sendable {
            case primitive(PhysicsPrimitive)
            case geometry(Reference)
            /// Missing, or without its numbers.
            case missing
        }
        public var position: XMLPosition
        public var form: Form
        public var filling: PhysicsShape.Filling?
        public var mass: Double?
        public var density: Double?
        public var material: MaterialOfBody?
        /// Translations and rotations.
        public var transforms: [Transform]
        public var extras: [Extra]
    }

    public struct RigidConstraint: Sendable {
        public struct Attachment: Sendable {
            /// `nil` or empty for the world.
            public var rigidBody: Reference?
            public var transforms: [Transform]
            public var extras: [Extra]
        }
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        /// `nil` where the element is missing.
        public var reference: Attachment?
        public var attachment: Attachment?
        public var settings: RigidConstraintSettings
        public var extras: [Extra]
    }
}

extension ColladaDocument {
    public struct PhysicsScene: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var gravity: SIMD3<Double>?
        /// Seconds.
        public var timeStep: Double?
        public var forceFields: [Reference]
        public var instances: [InstancePhysicsModel]
        public var extras: [Extra]
    }

    public struct InstancePhysicsModel: Sendable {
        public var sid: String?
        public var name: String?
        public var model: Reference
        /// Of a node.
        public var parent: Reference?
        public var forceFields: [Reference]
        public var bodies: [InstanceRigidBody]
        public var constraints: [InstanceRigidConstraint]
        public var extras: [Extra]
    }

    public struct InstanceRigidBody: Sendable {
        public var sid: String?
        public var name: String?
        /// The sid of a body of the model.
        public var body: Reference
        /// Of a node.
        public var target: Reference
        public var velocity: SIMD3<Double>?
        /// Degrees a second.
        public var angularVelocity: SIMD3<Double>?
        public var overrides: RigidBodyProperties
        public var extras: [Extra]
    }

    public struct InstanceRigidConstraint: Sendable {
        public var sid: String?
        public var name: String?
        /// The sid of a constraint of the model.
        public var constraint: Reference
        public var extras: [Extra]
    }
}
