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

        public init(node: SceneIndex<Node>, kind: Kind) {
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
