/// What deforms a mesh.
public struct Controller: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case skin(joints: Int)
        case morph(targets: Int)
    }
    public var id: String?
    public var name: String?
    /// `nil` when it is neither a skin nor a morph.
    public var kind: Kind?
    /// The mesh at the end of its chain of sources; `nil` when there is none.
    public var base: SceneIndex<Geometry>?
    /// Moves the mesh into the skin's bind shape; identity for a morph.
    public var bindShape: Matrix4

    public init(id: String?, name: String?, kind: Kind?, base: SceneIndex<Geometry>?, bindShape: Matrix4) {
        self.id = id
        self.name = name
        self.kind = kind
        self.base = base
        self.bindShape = bindShape
    }
}
