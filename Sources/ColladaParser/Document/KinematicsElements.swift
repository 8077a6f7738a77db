public import XMLReader

extension ColladaDocument {
    public struct KinematicsModel: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var parameters: [NewParameter]
        public var joints: [ModelJoint]
        /// A link stands before those it carries.
        public var links: [Link]
        /// Into ``links``: those that stand in no attachment.
        public var roots: [Int]
        public var formulas: [FormulaUse]
        public var openRAVE: OpenRAVEExtension
        public var extras: [Extra]
    }

    // MARK: - Parameters

    /// A value given in place, or by the name of a parameter.
    public enum Operand<Value: Sendable & Equatable>: Sendable {
        case value(Value)
        case parameter(Reference)
    }

    public enum ParameterValue: Sendable, Equatable {
        case real(Double)
        case integer(Int)
        case bool(Bool)
        /// An address of sids.
        case sidref(Reference)
        /// Another parameter's.
        case connected(Reference)
        /// None is given, as formulas have it.
        case empty
    }

    public struct NewParameter: Sendable {
        public var sid: String
        public var value: ParameterValue
    }

    public struct SetParameter: Sendable {
        public var reference: Reference
        public var value: ParameterValue
    }

    /// Binds a symbol of what is instanced.
    public struct BindSymbol: Sendable {
        public var symbol: String
        public var value: ParameterValue
    }

    // MARK: - Scenes

    /// A kinematics model or an articulated system put to use.
    public struct InstanceKinematics: Sendable {
        public var sid: String?
        public var name: String?
        public var target: Reference
        public var binds: [BindSymbol]
        public var newParameters: [NewParameter]
        public var setParameters: [SetParameter]
        public var extras: [Extra]
    }

    public struct KinematicsScene: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var models: [InstanceKinematics]
        public var systems: [InstanceKinematics]
        public var extras: [Extra]
    }

    /// What `<scene>` says of a kinematics scene.
    public struct InstanceKinematicsScene: Sendable {
        public struct ModelBinding: Sendable {
            /// The address of a node.
            public var node: Reference?
            public var model: Operand<Reference>?
            public var position: XMLPosition
        }
        public struct AxisBinding: Sendable {
            /// The address of a node's transform.
            public var target: Reference?
            public var axis: Operand<Reference>?
            public var value: Operand<Double>?
            public var position: XMLPosition
        }
        public var sid: String?
        public var name: String?
        public var target: Reference
        public var newParameters: [NewParameter]
        public var setParameters: [SetParameter]
        public var models: [ModelBinding]
        public var axes: [AxisBinding]
        public var extras: [Extra]
    }
}
