package import DaeScene
package import DaeXML

extension ColladaDocument {
    package struct PhysicsMaterial: Sendable {
        package var position: XMLPosition
        package var material: DaeScene.PhysicsMaterial
        package var extras: [Extra]
    }

    /// Only its techniques say what a force field does.
    package struct ForceField: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var extras: [Extra]
    }

    package struct PhysicsModel: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var bodies: [RigidBody]
        package var constraints: [RigidConstraint]
        package var instances: [InstancePhysicsModel]
        package var extras: [Extra]
    }

    package struct RigidBody: Sendable {
        /// Since 1.5.
        package var id: String?
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        package var properties: RigidBodyProperties
        package var extras: [Extra]
    }

    /// What a rigid body is, or what an instance of it says anew; `nil` where the file says nothing.
    package struct RigidBodyProperties: Sendable {
        package var motion: DaeScene.RigidBodyProperties.Motion?
        package var mass: Double?
        /// Translations and rotations; `nil` without a `<mass_frame>`.
        package var massFrame: [Transform]?
        package var inertia: SIMD3<Double>?
        package var material: MaterialOfBody?
        package var shapes: [Shape] = []
    }

    /// Where a body or shape has its material from.
    package enum MaterialOfBody: Sendable {
        /// Into ``ColladaDocument/physicsMaterials``: it stands within.
        case own(Int)
        case instance(Reference)
    }

    package struct Shape: Sendable {
        package enum Form: Sendable {
            case primitive(PhysicsPrimitive)
            case geometry(Reference)
            /// Missing, or without its numbers.
            case missing
        }
        package var position: XMLPosition
        package var form: Form
        package var filling: PhysicsShape.Filling?
        package var mass: Double?
        package var density: Double?
        package var material: MaterialOfBody?
        /// Translations and rotations.
        package var transforms: [Transform]
        package var extras: [Extra]
    }

    package struct RigidConstraint: Sendable {
        package struct Attachment: Sendable {
            /// `nil` or empty for the world.
            package var rigidBody: Reference?
            package var transforms: [Transform]
            package var extras: [Extra]
        }
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        /// `nil` where the element is missing.
        package var reference: Attachment?
        package var attachment: Attachment?
        package var settings: RigidConstraintSettings
        package var extras: [Extra]
    }
}

extension ColladaDocument {
    package struct PhysicsScene: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var gravity: SIMD3<Double>?
        /// Seconds.
        package var timeStep: Double?
        package var forceFields: [Reference]
        package var instances: [InstancePhysicsModel]
        package var extras: [Extra]
    }

    package struct InstancePhysicsModel: Sendable {
        package var sid: String?
        package var name: String?
        package var model: Reference
        /// Of a node.
        package var parent: Reference?
        package var forceFields: [Reference]
        package var bodies: [InstanceRigidBody]
        package var constraints: [InstanceRigidConstraint]
        package var extras: [Extra]
    }

    package struct InstanceRigidBody: Sendable {
        package var sid: String?
        package var name: String?
        /// The sid of a body of the model.
        package var body: Reference
        /// Of a node.
        package var target: Reference
        package var velocity: SIMD3<Double>?
        /// Degrees a second.
        package var angularVelocity: SIMD3<Double>?
        package var overrides: RigidBodyProperties
        package var extras: [Extra]
    }

    package struct InstanceRigidConstraint: Sendable {
        package var sid: String?
        package var name: String?
        /// The sid of a constraint of the model.
        package var constraint: Reference
        package var extras: [Extra]
    }
}
