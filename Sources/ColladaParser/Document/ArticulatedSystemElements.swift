public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct ArticulatedSystem: Sendable {
        public enum Kind: Sendable {
            case kinematics(KinematicsOfSystem)
            case motion(MotionOfSystem)
            /// Neither within.
            case empty
        }
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var kind: Kind
        public var openRAVE: OpenRAVEExtension
        public var extras: [Extra]
    }

    public struct KinematicsOfSystem: Sendable {
        public var models: [InstanceKinematics]
        public var axes: [AxisInfo]
        public var frames: [Frame]
    }

    public struct MotionOfSystem: Sendable {
        /// `nil` where the element is missing.
        public var system: InstanceKinematics?
        public var axes: [AxisInfo]
        public var effector: EffectorInfo?
    }

    /// What a system says of one axis: kinematics of where it may stand, motion of how fast it may go.
    public struct AxisInfo: Sendable {
        public struct Limits: Sendable {
            public var min: Operand<Double>?
            public var max: Operand<Double>?
        }
        public struct Index: Sendable {
            public var semantic: String?
            public var value: Operand<Int>?
        }
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        /// The address of an axis, or of another system's `<axis_info>`.
        public var axis: Reference
        public var binds: [BindSymbol]
        public var newParameters: [NewParameter]
        public var setParameters: [SetParameter]
        public var active: Operand<Bool>?
        public var locked: Operand<Bool>?
        public var indices: [Index]
        public var limits: Limits?
        public var formulas: [FormulaUse]
        public var speed: Operand<Double>?
        public var acceleration: Operand<Double>?
        public var deceleration: Operand<Double>?
        public var jerk: Operand<Double>?
    }

    public struct EffectorInfo: Sendable {
        public var sid: String?
        public var name: String?
        public var binds: [BindSymbol]
        public var newParameters: [NewParameter]
        public var setParameters: [SetParameter]
        public var speed: Operand<SIMD2<Double>>?
        public var acceleration: Operand<SIMD2<Double>>?
        public var deceleration: Operand<SIMD2<Double>>?
        public var jerk: Operand<SIMD2<Double>>?
    }

    public struct Frame: Sendable {
        public var role: KinematicFrame.Role
        /// The address of a link.
        public var link: Reference?
        public var transforms: [Transform]
    }
}
