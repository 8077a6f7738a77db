/// The kinematics of a document: robots as links and joints, the systems built of them, and what they move.
///
/// Angles are degrees; lengths and directions are the scene's, in whatever unit and axes the file wrote each part.
package struct Kinematics: Sendable, Equatable {
    package var models: [KinematicsModel] = []
    package var systems: [ArticulatedSystem] = []
    package var scenes: [KinematicsScene] = []
    /// Those of the library, and those that stand within models and systems.
    package var formulas: [KinematicFormula] = []
    /// What `<scene>` puts to use, with the nodes it moves.
    package var active: [KinematicsSceneInstance] = []

    package init() {}

    package var isEmpty: Bool { models.isEmpty && systems.isEmpty && scenes.isEmpty && formulas.isEmpty }
}

/// A mechanism: rigid links that joints hold together.
package struct KinematicsModel: Sendable, Equatable {
    package var id: String?
    package var name: String?
    /// In the file's order, as attachments count them.
    package var joints: [KinematicJoint]
    /// A link stands before those it carries.
    package var links: [KinematicLink]
    /// The links that no other carries.
    package var roots: [SceneIndex<KinematicLink>]
    /// Joints that follow others.
    package var formulas: [JointFormula]
    /// OpenRAVE's: links that collide with nothing.
    package var noncolliding: [SceneIndex<KinematicLink>]

    package init(
        id: String?, name: String?, joints: [KinematicJoint] = [], links: [KinematicLink] = [],
        roots: [SceneIndex<KinematicLink>] = [], formulas: [JointFormula] = [],
        noncolliding: [SceneIndex<KinematicLink>] = []
    ) {
        self.id = id
        self.name = name
        self.joints = joints
        self.links = links
        self.roots = roots
        self.formulas = formulas
        self.noncolliding = noncolliding
    }
}

/// A rigid part of a mechanism.
package struct KinematicLink: Sendable, Equatable {
    package var sid: String?
    package var name: String?
    /// From the link's own frame to the frame it is attached in.
    package var matrix: Matrix4
    package var attachments: [LinkAttachment]

    package init(sid: String?, name: String?, matrix: Matrix4, attachments: [LinkAttachment] = []) {
        self.sid = sid
        self.name = name
        self.matrix = matrix
        self.attachments = attachments
    }
}

/// How a link carries another one.
package struct LinkAttachment: Sendable, Equatable {
    package enum Role: Sendable, Equatable {
        /// The link hangs on this one: followed from the roots, these make a tree.
        case carries
        /// The link hangs elsewhere too: this attachment closes a loop, or ties two trees.
        case closes
    }
    package var role: Role
    /// `nil` when the joint does not exist.
    package var joint: SceneIndex<KinematicJoint>?
    package var link: SceneIndex<KinematicLink>
    /// From the joint's frame to this link's.
    package var matrix: Matrix4
    /// From the joint's frame to the other link's, where an `attachment_end` gives it.
    package var end: Matrix4?

    package init(
        role: Role, joint: SceneIndex<KinematicJoint>?, link: SceneIndex<KinematicLink>, matrix: Matrix4,
        end: Matrix4? = nil
    ) {
        self.role = role
        self.joint = joint
        self.link = link
        self.matrix = matrix
        self.end = end
    }
}

/// What lets two links move against each other: an axis for each degree of freedom, in order.
package struct KinematicJoint: Sendable, Hashable {
    package var id: String?
    /// By which its model names it.
    package var sid: String?
    package var name: String?
    package var axes: [JointAxis]

    package init(id: String?, sid: String?, name: String?, axes: [JointAxis]) {
        self.id = id
        self.sid = sid
        self.name = name
        self.axes = axes
    }
}

/// One degree of freedom.
package struct JointAxis: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Slides along the axis.
        case prismatic
        /// Turns about the axis.
        case revolute
    }
    package var kind: Kind
    package var sid: String?
    package var name: String?
    /// Of any length; along z where the file's cannot be read.
    package var direction: SIMD3<Double>
    /// `nil` for an axis without limits.
    package var limits: JointLimits?

    package init(kind: Kind, sid: String?, name: String?, direction: SIMD3<Double>, limits: JointLimits?) {
        self.kind = kind
        self.sid = sid
        self.name = name
        self.direction = direction
        self.limits = limits
    }
}

/// How far an axis moves: degrees or a length. `nil` on a side that is free.
package struct JointLimits: Sendable, Hashable {
    package var min: Double?
    package var max: Double?

    package init(min: Double?, max: Double?) {
        self.min = min
        self.max = max
    }

    /// Whether the least value is above the greatest.
    package var isInverted: Bool {
        guard let min, let max else { return false }
        return min > max
    }
    /// Whether the axis cannot move at all.
    package var isFixed: Bool { min != nil && min == max }
}

/// An axis by its model, its joint there, and its place in the joint.
package struct JointAxisReference: Sendable, Hashable {
    package let model: SceneIndex<KinematicsModel>
    package let joint: SceneIndex<KinematicJoint>
    package let axis: SceneIndex<JointAxis>

    package init(model: SceneIndex<KinematicsModel>, joint: SceneIndex<KinematicJoint>, axis: SceneIndex<JointAxis>) {
        self.model = model
        self.joint = joint
        self.axis = axis
    }
}

/// A formula, whose MathML the document holds; it is not evaluated.
package struct KinematicFormula: Sendable, Equatable {
    package var id: String?
    package var sid: String?
    package var name: String?
    /// What it computes, as written: a parameter's name or a joint's address. `nil` where the file gives none.
    package var target: String?
    /// Its own parameters.
    package var parameters: [String]
    /// What it refers to, each once, in order: the names in its `csymbol` and `ci`.
    package var symbols: [String]

    package init(
        id: String?, sid: String?, name: String?, target: String?, parameters: [String], symbols: [String]
    ) {
        self.id = id
        self.sid = sid
        self.name = name
        self.target = target
        self.parameters = parameters
        self.symbols = symbols
    }
}

/// A formula at work: a passive joint follows others by it.
package struct JointFormula: Sendable, Equatable {
    package var formula: SceneIndex<KinematicFormula>
    /// `nil` when what it moves is not a joint of the model.
    package var joint: SceneIndex<KinematicJoint>?
    /// The joints it reads, each once, in order.
    package var sources: [SceneIndex<KinematicJoint>]

    package init(
        formula: SceneIndex<KinematicFormula>, joint: SceneIndex<KinematicJoint>?,
        sources: [SceneIndex<KinematicJoint>]
    ) {
        self.formula = formula
        self.joint = joint
        self.sources = sources
    }
}
