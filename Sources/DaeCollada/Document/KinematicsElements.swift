package import DaeScene
package import DaeXML

extension ColladaDocument {
    package struct KinematicsModel: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var parameters: [NewParameter]
        package var joints: [ModelJoint]
        /// A link stands before those it carries.
        package var links: [Link]
        /// Into ``links``: those that stand in no attachment.
        package var roots: [Int]
        package var formulas: [FormulaUse]
        package var openRAVE: OpenRAVEExtension
        package var extras: [Extra]
    }

    // MARK: - Parameters

    /// A value given in place, or by the name of a parameter.
    package enum Operand<Value: Sendable & Equatable>: Sendable {
        case value(Value)
        case parameter(Reference)
    }

    package enum ParameterValue: Sendable, Equatable {
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

    package struct NewParameter: Sendable {
        package var sid: String
        package var value: ParameterValue
    }

    package struct SetParameter: Sendable {
        package var reference: Reference
        package var value: ParameterValue
    }

    /// Binds a symbol of what is instanced.
    package struct BindSymbol: Sendable {
        package var symbol: String
        package var value: ParameterValue
    }

    // MARK: - Scenes

    /// A kinematics model or an articulated system put to use.
    package struct InstanceKinematics: Sendable {
        package var sid: String?
        package var name: String?
        package var target: Reference
        package var binds: [BindSymbol]
        package var newParameters: [NewParameter]
        package var setParameters: [SetParameter]
        package var extras: [Extra]
    }

    package struct KinematicsScene: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var models: [InstanceKinematics]
        package var systems: [InstanceKinematics]
        package var extras: [Extra]
    }

    /// What `<scene>` says of a kinematics scene.
    package struct InstanceKinematicsScene: Sendable {
        package struct ModelBinding: Sendable {
            /// The address of a node.
            package var node: Reference?
            package var model: Operand<Reference>?
            package var position: XMLPosition
        }
        package struct AxisBinding: Sendable {
            /// The address of a node's transform.
            package var target: Reference?
            package var axis: Operand<Reference>?
            package var value: Operand<Double>?
            package var position: XMLPosition
        }
        package var sid: String?
        package var name: String?
        package var target: Reference
        package var newParameters: [NewParameter]
        package var setParameters: [SetParameter]
        package var models: [ModelBinding]
        package var axes: [AxisBinding]
        package var extras: [Extra]
    }
}

extension ColladaDocument {
    package struct ArticulatedSystem: Sendable {
        package enum Kind: Sendable {
            case kinematics(KinematicsOfSystem)
            case motion(MotionOfSystem)
            /// Neither within.
            case empty
        }
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var kind: Kind
        package var openRAVE: OpenRAVEExtension
        package var extras: [Extra]
    }

    package struct KinematicsOfSystem: Sendable {
        package var models: [InstanceKinematics]
        package var axes: [AxisInfo]
        package var frames: [Frame]
    }

    package struct MotionOfSystem: Sendable {
        /// `nil` where the element is missing.
        package var system: InstanceKinematics?
        package var axes: [AxisInfo]
        package var effector: EffectorInfo?
    }

    /// What a system says of one axis: kinematics of where it may stand, motion of how fast it may go.
    package struct AxisInfo: Sendable {
        package struct Limits: Sendable {
            package var min: Operand<Double>?
            package var max: Operand<Double>?
        }
        package struct Index: Sendable {
            package var semantic: String?
            package var value: Operand<Int>?
        }
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        /// The address of an axis, or of another system's `<axis_info>`.
        package var axis: Reference
        package var binds: [BindSymbol]
        package var newParameters: [NewParameter]
        package var setParameters: [SetParameter]
        package var active: Operand<Bool>?
        package var locked: Operand<Bool>?
        package var indices: [Index]
        package var limits: Limits?
        package var formulas: [FormulaUse]
        package var speed: Operand<Double>?
        package var acceleration: Operand<Double>?
        package var deceleration: Operand<Double>?
        package var jerk: Operand<Double>?
    }

    package struct EffectorInfo: Sendable {
        package var sid: String?
        package var name: String?
        package var binds: [BindSymbol]
        package var newParameters: [NewParameter]
        package var setParameters: [SetParameter]
        package var speed: Operand<SIMD2<Double>>?
        package var acceleration: Operand<SIMD2<Double>>?
        package var deceleration: Operand<SIMD2<Double>>?
        package var jerk: Operand<SIMD2<Double>>?
    }

    package struct Frame: Sendable {
        package var role: KinematicFrame.Role
        /// The address of a link.
        package var link: Reference?
        package var transforms: [Transform]
    }
}

extension ColladaDocument {
    package struct Joint: Sendable {
        package var id: String?
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        package var axes: [JointAxis]
        package var extras: [Extra]
    }

    /// A joint that stands in a kinematics model.
    package enum ModelJoint: Sendable {
        /// Into ``ColladaDocument/joints``.
        case own(Int)
        case instance(sid: String?, name: String?, Reference)
    }

    package struct Link: Sendable {
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        /// Translations and rotations.
        package var transforms: [Transform]
        package var attachments: [Attachment]
    }

    package struct Attachment: Sendable {
        package enum Kind: Sendable {
            /// Into the links of the same model; `nil` where none stands within.
            case full(link: Int?)
            case start, end
        }
        package var kind: Kind
        /// The address of a joint.
        package var joint: Reference
        package var transforms: [Transform]
    }
}

extension ColladaDocument {
    package struct Formula: Sendable {
        package var id: String?
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        package var parameters: [NewParameter]
        package var target: Operand<Double>?
        /// The `<math>` element; `nil` without one, and where only figures were asked for.
        package var math: RawElement?
        /// The names in `csymbol` and `ci`, each once, in order.
        package var symbols: [String]
        /// Of its techniques for programs.
        package var extras: [Extra]
    }

    /// A formula that stands in a model or an axis.
    package enum FormulaUse: Sendable {
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
    package struct OpenRAVEExtension: Sendable {
        package struct Manipulator: Sendable {
            package var name: String?
            package var origin: String?
            package var tip: String?
            /// From the tool's frame to the tip's.
            package var tool: [Transform]
            package var direction: SIMD3<Double>?
            package var gripperJoints: [String]
        }
        /// The class that drives it.
        package var interface: String?
        package var manipulators: [Manipulator] = []
        /// Addresses of links that `<link_collision_state>` takes out of collisions.
        package var noncolliding: [String] = []
        /// The types of the extensions that are there, each once, in order.
        package var types: [String] = []
    }
}
