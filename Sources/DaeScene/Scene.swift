/// A scene graph: values only, every reference an index that leads somewhere, instancing kept.
///
/// Units and axes are the document's own. Where nodes and meshes are written in others, a node that says so
/// (``Node/Role/conversion(from:)``) takes them into these; cameras, lights, physics and kinematics are given in them,
/// and a channel in those of what it moves. ``converted(toMeters:up:)`` gives the scene in yet others.
public struct Scene: Sendable, Equatable {
    public enum UpAxis: String, Sendable, CaseIterable {
        case x = "X_UP"
        case y = "Y_UP"
        case z = "Z_UP"
    }
    public var id: String?
    public var name: String?
    /// What the contributors to its documents claim, each once.
    public var copyright: String?
    public var upAxis = UpAxis.y
    /// Metres in one unit, above 0.
    public var metersPerUnit = 1.0
    public var roots: [SceneIndex<Node>] = []
    public var nodes: [Node] = []
    public var geometries: [Geometry] = []
    public var controllers: [Controller] = []
    public var materials: [Material] = []
    public var images: [Image] = []
    public var cameras: [Camera] = []
    public var lights: [Light] = []
    public var animations: [Animation] = []
    public var clips: [AnimationClip] = []
    public var physics = Physics()
    public var kinematics = Kinematics()
    /// Instances that lead to nothing, or to what is of another kind, in the order of their nodes.
    public var unresolvedInstances: [UnresolvedInstance] = []

    /// An instance of something that is not there.
    public struct UnresolvedInstance: Sendable, Equatable {
        public enum Kind: Sendable, CaseIterable {
            case geometry, controller, node, camera, light
        }
        /// Which node has it.
        public var node: SceneIndex<Node>
        public var kind: Kind

        package init(node: SceneIndex<Node>, kind: Kind) {
            self.node = node
            self.kind = kind
        }
    }

    public init() {}
}

extension Scene {
    /// The mesh an instance draws, and what moves it into the node's space first.
    public func drawn(by instance: Instance) -> (geometry: SceneIndex<Geometry>, matrix: Matrix4)? {
        switch instance {
        case .geometry(let geometry, materials: _): (geometry, .identity)
        case .controller(let controller, skeleton: _, materials: _):
            controllers[controller].base.map { ($0, controllers[controller].bindShape) }
        case .camera, .light: nil
        }
    }

    /// Whether an instance draws a mesh.
    func draws(_ instance: borrowing Instance) -> Bool {
        switch instance {
        case .geometry: true
        case .controller(let controller, skeleton: _, materials: _): controllers[controller.value].base != nil
        case .camera, .light: false
        }
    }

    /// The mesh an instance draws.
    func geometry(drawnBy instance: Instance) -> SceneIndex<Geometry>? {
        switch instance {
        case .geometry(let geometry, materials: _): geometry
        case .controller(let controller, skeleton: _, materials: _): controllers[controller.value].base
        case .camera, .light: nil
        }
    }
}

/// The place, from 0, of one thing in the scene's list of its kind. Two kinds cannot be mixed up.
public struct SceneIndex<Kind>: Sendable, Hashable {
    public let value: Int

    @inlinable package init(_ value: Int) {
        self.value = value
    }
}

extension Array {
    /// The element an index of its kind leads to; indices come from the scene that holds the list.
    public subscript(index: SceneIndex<Element>) -> Element { self[index.value] }
}

/// The unit and the up axis that numbers are written in. All three are right-handed.
public struct CoordinateSystem: Sendable, Hashable {
    /// Metres in one unit, above 0.
    public var metersPerUnit: Double
    public var upAxis: Scene.UpAxis

    public init(metersPerUnit: Double = 1, upAxis: Scene.UpAxis = .y) {
        self.metersPerUnit = metersPerUnit
        self.upAxis = upAxis
    }

    /// Takes points of this system into another: a turn that moves axes onto axes, exactly, and a scale.
    public func conversion(to other: CoordinateSystem) -> Matrix4 {
        turn(to: other) * Matrix4(uniformScale: scale(to: other))
    }

    /// Units of the other system in one of this.
    package func scale(to other: CoordinateSystem) -> Double {
        metersPerUnit == other.metersPerUnit ? 1 : metersPerUnit / other.metersPerUnit
    }

    /// Takes directions of this system into another; all its numbers are 0, 1 or −1.
    package func turn(to other: CoordinateSystem) -> Matrix4 {
        let from = upAxis.directions
        let to = other.upAxis.directions
        func moved(_ axis: SIMD3<Double>) -> SIMD4<Double> {
            SIMD4(
                to.right * from.right.dot(axis) + to.up * from.up.dot(axis) + to.inward * from.inward.dot(axis), 0)
        }
        return Matrix4(columns: (moved([1, 0, 0]), moved([0, 1, 0]), moved([0, 0, 1]), [0, 0, 0, 1]))
    }
}

extension Scene.UpAxis {
    /// What is right, up and towards the viewer.
    ///
    /// - Source: COLLADA 1.4.1, chapter 5, `up_axis`.
    fileprivate var directions: (right: SIMD3<Double>, up: SIMD3<Double>, inward: SIMD3<Double>) {
        switch self {
        case .x: ([0, -1, 0], [1, 0, 0], [0, 0, 1])
        case .y: ([1, 0, 0], [0, 1, 0], [0, 0, 1])
        case .z: ([1, 0, 0], [0, 0, 1], [0, -1, 0])
        }
    }
}

extension CoordinateSystem: CustomStringConvertible {
    /// Such as `0.0254 m, Z_UP`.
    public var description: String { "\(metersPerUnit) m, \(upAxis.rawValue)" }
}

extension Matrix4 {
    init(uniformScale scale: Double) {
        self.init(columns: ([scale, 0, 0, 0], [0, scale, 0, 0], [0, 0, scale, 0], [0, 0, 0, 1]))
    }
}

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
    public var id: String?
    public var name: String?
    public var sid: String?
    public var kind: Kind
    /// Whether its exporter says, in an `<extra>`, that neither it nor what is below it is shown. It is counted and
    /// measured all the same.
    public var isHidden = false
    /// In the document's order.
    public var transforms: [Transform] {
        get { transformList.array }
        set { transformList = TransformList(newValue) }
    }
    package var transformList: TransformList
    /// The transforms' sids, in their order; empty where none has one.
    public var transformSIDs: [String?]
    public var role = Role.element
    /// Child nodes, instanced library nodes among them. Never leads back to this node.
    public var children: [SceneIndex<Node>]
    public var instances: [Instance]

    package init(
        id: String?, name: String?, sid: String?, kind: Kind, transforms: [Transform],
        transformSIDs: [String?] = [], children: [SceneIndex<Node>] = [], instances: [Instance] = []
    ) {
        self.init(
            id: id, name: name, sid: sid, kind: kind, transforms: TransformList(transforms),
            transformSIDs: transformSIDs, children: children, instances: instances)
    }

    package init(
        id: String?, name: String?, sid: String?, kind: Kind, transforms: TransformList, transformSIDs: [String?],
        children: [SceneIndex<Node>] = [], instances: [Instance] = []
    ) {
        self.id = id
        self.name = name
        self.sid = sid
        self.kind = kind
        transformList = transforms
        self.transformSIDs = transformSIDs
        self.children = children
        self.instances = instances
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
