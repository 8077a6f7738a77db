public import XMLReader

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
