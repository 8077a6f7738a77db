/// Ties two bodies to each other, or one to a node or the world.
public struct RigidConstraint: Sendable, Equatable {
    public enum Anchor: Sendable, Equatable {
        case body(RigidBodyReference)
        case node(SceneIndex<Node>)
        /// Nothing is named.
        case world
        /// What is named does not exist.
        case lost
    }
    public struct Attachment: Sendable, Equatable {
        public var anchor: Anchor
        /// From the constraint's frame to the space of what it hangs on.
        public var matrix: Matrix4

        public init(anchor: Anchor, matrix: Matrix4) {
            self.anchor = anchor
            self.matrix = matrix
        }
    }
    public var sid: String?
    public var name: String?
    public var reference: Attachment
    public var attachment: Attachment
    public var settings: RigidConstraintSettings

    public init(
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
public struct RigidConstraintSettings: Sendable, Equatable {
    /// Least and greatest values about or along x, y and z; infinite where free.
    public struct Range: Sendable, Equatable {
        public var min = SIMD3<Double>.zero
        public var max = SIMD3<Double>.zero

        public init(min: SIMD3<Double> = .zero, max: SIMD3<Double> = .zero) {
            self.min = min
            self.max = max
        }
    }
    public struct Spring: Sendable, Equatable {
        public var stiffness = 1.0
        public var damping = 0.0
        /// The value at rest: degrees or a length.
        public var target = 0.0

        public init(stiffness: Double = 1, damping: Double = 0, target: Double = 0) {
            self.stiffness = stiffness
            self.damping = damping
            self.target = target
        }
    }
    public var isEnabled = true  // as the file says
    /// Whether the two may pass through each other.
    public var interpenetrates = false  // as the file says
    /// Degrees; `nil` where the file leaves it out.
    public var swingConeAndTwist: Range?
    public var linear: Range?
    public var angularSpring: Spring?
    public var linearSpring: Spring?

    public init() {}
}
