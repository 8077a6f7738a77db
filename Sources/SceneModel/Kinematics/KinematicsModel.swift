/// A mechanism: rigid links that joints hold together.
public struct KinematicsModel: Sendable, Equatable {
    public var id: String?
    public var name: String?
    /// In the file's order, as attachments count them.
    public var joints: [KinematicJoint]
    /// A link stands before those it carries.
    public var links: [KinematicLink]
    /// The links that no other carries.
    public var roots: [SceneIndex<KinematicLink>]
    /// Joints that follow others.
    public var formulas: [JointFormula]
    /// OpenRAVE's: links that collide with nothing.
    public var noncolliding: [SceneIndex<KinematicLink>]

    public init(
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
public struct KinematicLink: Sendable, Equatable {
    public var sid: String?
    public var name: String?
    /// From the link's own frame to the frame it is attached in.
    public var matrix: Matrix4
    public var attachments: [LinkAttachment]

    public init(sid: String?, name: String?, matrix: Matrix4, attachments: [LinkAttachment] = []) {
        self.sid = sid
        self.name = name
        self.matrix = matrix
        self.attachments = attachments
    }
}

/// How a link carries another one.
public struct LinkAttachment: Sendable, Equatable {
    public enum Role: Sendable, Equatable {
        /// The link hangs on this one: followed from the roots, these make a tree.
        case carries
        /// The link hangs elsewhere too: this attachment closes a loop, or ties two trees.
        case closes
    }
    public var role: Role
    /// `nil` when the joint does not exist.
    public var joint: SceneIndex<KinematicJoint>?
    public var link: SceneIndex<KinematicLink>
    /// From the joint's frame to this link's.
    public var matrix: Matrix4
    /// From the joint's frame to the other link's, where an `attachment_end` gives it.
    public var end: Matrix4?

    public init(
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
