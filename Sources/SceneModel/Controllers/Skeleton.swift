/// The nodes that one instance of a skin is bound to.
public struct Skeleton: Sendable, Equatable {
    public struct Root: Sendable, Equatable {
        /// As the document writes it.
        public var reference: String
        /// `nil` when it leads to no node.
        public var node: SceneIndex<Node>?

        public init(reference: String, node: SceneIndex<Node>?) {
            self.reference = reference
            self.node = node
        }
    }
    /// Where joints are looked for, in this order; empty where the instance names none: then in the whole scene.
    public var roots: [Root]
    /// One for each of the skin's joints; `nil` for one that was not found. Empty for a morph alone.
    public var joints: [SceneIndex<Node>?]

    /// What moves all that the joints have posed.
    public enum Carrier: Sendable, Equatable {
        /// Nothing. What the instance's node does is in the skin's matrices, or moves the joints as well.
        case none
        /// The instance's node and those around it, up to one that is around the joints, too: that one is given, `nil`
        /// where they have only the scene in common.
        case node(below: SceneIndex<Node>?)
    }
    public var carrier: Carrier

    public init(roots: [Root], joints: [SceneIndex<Node>?], carrier: Carrier = .none) {
        self.roots = roots
        self.joints = joints
        self.carrier = carrier
    }

    public static let none = Skeleton(roots: [], joints: [])
}
