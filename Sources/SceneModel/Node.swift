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
        /// No element: it puts a model of several into its place, as the manifest that shows them says.
        case placement

        public var isElement: Bool { self == .element }
    }
    public var id: String? {
        get { record.id }
        set { record.id = newValue }
    }
    public var name: String? {
        get { record.name }
        set { record.name = newValue }
    }
    public var sid: String? {
        get { record.sid }
        set { record.sid = newValue }
    }
    public var kind: Kind {
        get { record.kind }
        set { record.kind = newValue }
    }
    /// In the document's order.
    public var transforms: [Transform] {
        get { record.transforms }
        set { record.transforms = newValue }
    }
    /// The transforms' sids, in their order; empty where none has one.
    public var transformSIDs: [String?] {
        get { record.transformSIDs }
        set { record.transformSIDs = newValue }
    }
    /// Whether its exporter says, in an `<extra>`, that neither it nor what is below it is shown. It is counted and
    /// measured all the same.
    public var isHidden: Bool {
        get { record.isHidden }
        set { record.isHidden = newValue }
    }
    package var record: NodeRecord
    public var role = Role.element
    /// Child nodes, instanced library nodes among them. Never leads back to this node.
    public var children: [SceneIndex<Node>]
    public var instances: [Instance]

    public init(
        id: String?, name: String?, sid: String?, kind: Kind, transforms: [Transform],
        transformSIDs: [String?] = [], children: [SceneIndex<Node>] = [], instances: [Instance] = []
    ) {
        self.init(
            NodeRecord(
                id: id, name: name, sid: sid, kind: kind, transforms: transforms, transformSIDs: transformSIDs),
            children: children, instances: instances)
    }

    package init(_ record: NodeRecord, children: [SceneIndex<Node>] = [], instances: [Instance] = []) {
        self.record = record
        self.children = children
        self.instances = instances
    }
}

extension Node {
    /// From this node to the one around it; computed from the transforms.
    public var matrix: Matrix4 { record.matrix }
}

/// What hangs on a node.
public enum Instance: Sendable, Equatable {
    case geometry(SceneIndex<Geometry>, materials: [MaterialBinding])
    case controller(SceneIndex<Controller>, skeleton: Skeleton, materials: [MaterialBinding])
    case camera(SceneIndex<Camera>)
    case light(SceneIndex<Light>)
}
