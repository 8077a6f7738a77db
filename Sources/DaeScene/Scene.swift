extension Dae {
    /// A scene graph: values only, every reference an index that leads somewhere, instancing kept.
    ///
    /// Units and axes are the document's own. Where nodes and meshes are written in others, a node that says so
    /// takes them into these; cameras, lights, physics and kinematics are given in them,
    /// and a channel in those of what it moves. ``converted(toMeters:up:)`` gives the scene in yet others.
    public struct Scene: Sendable, Equatable {
        /// The axis that points up; the others make a right-handed system.
        public enum UpAxis: String, Sendable, CaseIterable {
            case x = "X_UP"
            case y = "Y_UP"
            case z = "Z_UP"
        }
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// What the contributors to its documents claim, each once.
        public var copyright: String?
        /// The axis that points up.
        public var upAxis = UpAxis.y
        /// Metres in one unit, above 0.
        public var metersPerUnit = 1.0
        /// The nodes that no other holds.
        public var roots: [SceneIndex<Node>] = []
        /// All nodes, instanced or not; each once.
        public var nodes: [Node] = []
        /// All geometries, in the document's order.
        public var geometries: [Geometry] = []
        /// All skins and morphs.
        public var controllers: [Controller] = []
        /// All materials with their effects.
        public var materials: [Material] = []
        /// All images; place for place those of an inspection.
        public var images: [Image] = []
        /// All cameras.
        public var cameras: [Camera] = []
        /// All lights.
        public var lights: [Light] = []
        /// All animations, those within others as well.
        public var animations: [Animation] = []
        /// All animation clips.
        public var clips: [AnimationClip] = []
        package var physics = Physics()
        package var kinematics = Kinematics()
        /// Instances that lead to nothing, or to what is of another kind, in the order of their nodes.
        package var unresolvedInstances: [UnresolvedInstance] = []

        /// An instance of something that is not there.
        package struct UnresolvedInstance: Sendable, Equatable {
            package enum Kind: Sendable, CaseIterable {
                case geometry, controller, node, camera, light
            }
            /// Which node has it.
            package var node: SceneIndex<Node>
            package var kind: Kind

            package init(node: SceneIndex<Node>, kind: Kind) {
                self.node = node
                self.kind = kind
            }
        }

        /// A scene in which nothing is.
        public init() {}
    }
}

extension Scene {
    /// The mesh an instance draws, and what moves it into the node's space first.
    package func drawn(by instance: Dae.Instance) -> (geometry: Dae.SceneIndex<Dae.Geometry>, matrix: Dae.Matrix4)? {
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

extension Dae {
    /// The place, from 0, of one thing in the scene's list of its kind. Two kinds cannot be mixed up.
    public struct SceneIndex<Kind>: Sendable, Hashable {
        /// The place in the scene's list, from 0.
        public let value: Int

        /// A place in the scene's list, from 0.
        @inlinable public init(_ value: Int) {
            self.value = value
        }
    }
}

extension Array {
    /// The element an index of its kind leads to; indices come from the scene that holds the list, and one beyond its end
    /// ends the process.
    public subscript(index: Dae.SceneIndex<Element>) -> Element { self[index.value] }
}

extension Dae {
    /// The unit and the up axis that numbers are written in. All three are right-handed.
    public struct CoordinateSystem: Sendable, Hashable {
        /// Metres in one unit, above 0.
        public var metersPerUnit: Double
        /// The axis that points up.
        public var upAxis: Scene.UpAxis

        /// Metres and Y up where nothing else is said.
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

extension Dae {
    /// One node of the scene graph. A node may stand below several others: instances are edges, not copies.
    public struct Node: Sendable, Equatable {
        /// What a node stands for; raw values are COLLADA's names.
        public enum Kind: String, Sendable, CaseIterable {
            case node = "NODE"
            case joint = "JOINT"
        }
        /// Where a node comes from.
        package enum Role: Sendable, Equatable {
            /// An element of the document.
            case element
            /// No element: where parts that are written in different units or axes meet, it takes what is below it from
            /// that system into the one around.
            indirect case conversion(from: CoordinateSystem)
            /// No element: it puts a model of several into its place, as the manifest that shows them says.
            case placement

            package var isElement: Bool { self == .element }
        }
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        package var sid: String?
        /// Whether it is a joint.
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
        package var transformSIDs: [String?]
        package var role = Role.element
        /// Child nodes, instanced library nodes among them. Never leads back to this node.
        public var children: [SceneIndex<Node>]
        /// What it shows, in the document's order.
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
}

extension Node {
    /// From this node to the one around it; computed from the transforms.
    public var matrix: Dae.Matrix4 { transformList.matrix }
}

extension Dae {
    /// What hangs on a node.
    public enum Instance: Sendable, Equatable {
        case geometry(SceneIndex<Geometry>, materials: [MaterialBinding])
        case controller(SceneIndex<Controller>, skeleton: Skeleton, materials: [MaterialBinding])
        case camera(SceneIndex<Camera>)
        case light(SceneIndex<Light>)
    }
}
