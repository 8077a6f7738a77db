public import SceneModel
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

extension ColladaDocument {
    public struct Joint: Sendable {
        public var id: String?
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var axes: [JointAxis]
        public var extras: [Extra]
    }

    /// A joint that stands in a kinematics model.
    public enum ModelJoint: Sendable {
        /// Into ``ColladaDocument/joints``.
        case own(Int)
        case instance(sid: String?, name: String?, Reference)
    }

    public struct Link: Sendable {
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        /// Translations and rotations.
        public var transforms: [Transform]
        public var attachments: [Attachment]
    }

    public struct Attachment: Sendable {
        public enum Kind: Sendable {
            /// Into the links of the same model; `nil` where none stands within.
            case full(link: Int?)
            case start, end
        }
        public var kind: Kind
        /// The address of a joint.
        public var joint: Reference
        public var transforms: [Transform]
    }
}

extension ColladaDocument {
    public struct Formula: Sendable {
        public var id: String?
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var parameters: [NewParameter]
        public var target: Operand<Double>?
        /// The `<math>` element; `nil` without one, and where only figures were asked for.
        public var math: RawElement?
        /// The names in `csymbol` and `ci`, each once, in order.
        public var symbols: [String]
        /// Of its techniques for programs.
        public var extras: [Extra]
    }

    /// A formula that stands in a model or an axis.
    public enum FormulaUse: Sendable {
        /// Into ``ColladaDocument/formulas``.
        case own(Int)
        case instance(sid: String?, name: String?, Reference, [SetParameter])
    }
}

extension RawElement {
    /// The texts of all `csymbol` and `ci` within but for the variables that it binds itself, each once, in the file's
    /// order.
    var mathSymbols: [String] {
        var symbols: [String] = []
        var known = boundVariables
        // An explicit stack: files nest as deep as the budget lets them.
        var stack = [self]
        while let element = stack.popLast() {
            let name = element.localName
            if name == "csymbol" || name == "ci", !element.text.isEmpty, known.insert(element.text).inserted {
                symbols.append(element.text)
            }
            stack += element.children.reversed()
        }
        return symbols
    }

    /// The names of MathML's `bvar`.
    private var boundVariables: Set<String> {
        var names: Set<String> = []
        var stack = [self]
        while let element = stack.popLast() {
            if element.localName == "bvar" { names.formUnion(element.children.map(\.text)) }
            stack += element.children
        }
        return names
    }
}

// What OpenRAVE adds to COLLADA's robots by `<extra>`, where it has a meaning here; all of it is kept as extras too.
//
// Source: the OpenRAVE manual, "COLLADA Robot Extensions".

extension ColladaDocument {
    public struct OpenRAVEExtension: Sendable {
        public struct Manipulator: Sendable {
            public var name: String?
            public var origin: String?
            public var tip: String?
            /// From the tool's frame to the tip's.
            public var tool: [Transform]
            public var direction: SIMD3<Double>?
            public var gripperJoints: [String]
        }
        /// The class that drives it.
        public var interface: String?
        public var manipulators: [Manipulator] = []
        /// Addresses of links that `<link_collision_state>` takes out of collisions.
        public var noncolliding: [String] = []
        /// The types of the extensions that are there, each once, in order.
        public var types: [String] = []
    }
}
