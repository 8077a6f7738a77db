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

    public init(roots: [Root], joints: [SceneIndex<Node>?]) {
        self.roots = roots
        self.joints = joints
    }

    public static let none = Skeleton(roots: [], joints: [])
}
