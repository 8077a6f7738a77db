/// One node of the scene graph. A node may stand below several others: instances are edges, not copies.
public struct Node: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case node = "NODE"
        case joint = "JOINT"
    }
    /// Where a node comes from.
    public enum Role: Sendable, Equatable {
        /// An element of the document.
        case element
        /// No element: where parts that are written in different units or axes meet, it takes what is below it from
        /// that system into the one around.
        indirect case conversion(from: CoordinateSystem)

        public var isElement: Bool { self == .element }
    }
    public var id: String?
    public var name: String?
    public var sid: String? {
        get { rarity?.sid }
        set { rarity = Rarity(sid: newValue, role: role) }
    }
    public var kind: Kind
    public var role: Role {
        get { rarity?.role ?? .element }
        set { rarity = Rarity(sid: sid, role: newValue) }
    }
    private var rarity: Rarity?
    /// In the document's order.
    public var transforms: [Transform] {
        get { transformList.transforms }
        set { transformList = TransformList(newValue) }
    }
    package var transformList: TransformList
    /// The transforms' sids, in their order; empty where none has one.
    public var transformSIDs: [String?]
    /// Child nodes, instanced library nodes among them. Never leads back to this node.
    public var children: [SceneIndex<Node>]
    public var instances: [Instance]

    public init(
        id: String?, name: String?, sid: String?, kind: Kind, transforms: [Transform],
        transformSIDs: [String?] = [], children: [SceneIndex<Node>] = [], instances: [Instance] = []
    ) {
        self.init(
            id: id, name: name, sid: sid, kind: kind, transformList: TransformList(transforms),
            transformSIDs: transformSIDs, children: children, instances: instances)
    }

    package init(
        id: String?, name: String?, sid: String?, kind: Kind, transformList: TransformList,
        transformSIDs: [String?] = [], children: [SceneIndex<Node>] = [], instances: [Instance] = []
    ) {
        self.id = id
        self.name = name
        rarity = Rarity(sid: sid, role: .element)
        self.kind = kind
        self.transformList = transformList
        self.transformSIDs = transformSIDs
        self.children = children
        self.instances = instances
    }
}

/// What few nodes have.
///
/// A class so that the others have no room for it.
private final class Rarity: Sendable, Equatable {
    let sid: String?
    let role: Node.Role

    /// `nil` where there is nothing of it.
    init?(sid: String?, role: Node.Role) {
        guard sid != nil || !role.isElement else { return nil }
        self.sid = sid
        self.role = role
    }

    static func == (left: Rarity, right: Rarity) -> Bool {
        left === right || left.sid == right.sid && left.role == right.role
    }
}

extension Node {
    /// From this node to the one around it; computed from the transforms.
    public var matrix: Matrix4 { transformList.matrix }
}

/// What hangs on a node.
public enum Instance: Sendable, Equatable {
    case geometry(SceneIndex<Geometry>, materials: [MaterialBinding])
    case controller(SceneIndex<Controller>, skeleton: Skeleton, materials: [MaterialBinding])
    case camera(SceneIndex<Camera>)
    case light(SceneIndex<Light>)
}
