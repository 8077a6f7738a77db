public import SceneModel
public import XMLReader

/// A document as the file says it: every library, references still as they were written.
///
/// What it means, with every reference resolved, is a ``Scene``.
public struct ColladaDocument: Sendable {
    /// The `version` attribute as written; `nil` when there is none.
    public var version: String?
    public var namespace: String?
    /// The usual name of the encoding, such as `UTF-8`.
    public var encoding: String?
    /// Which of several documents that are read into one it is; 0 is the first.
    public var number = 0
    /// Bytes of the document.
    public var bytes: Int64 = 0
    /// `nil` when the document has none of its own.
    public var asset: Asset?
    /// Those of libraries and single elements, in the file's order.
    public var nestedAssets: [NestedAsset] = []
    /// The references that lead into other files: the first to each.
    public var otherDocuments: [Reference] = []
    public var geometries: [Geometry] = []
    /// The places in ``geometries``, rising, of meshes that an examiner asked for again: they have their sources still.
    public internal(set) var meshesAskedAgain: [Int] = []
    /// Those of meshes that were kept without their sources.
    var sourceIDs = IDList()
    /// Those of animations that were kept without their sources' ids, by ``XMLReader/XMLPosition/document``.
    var animationSourceIDs: [Int: IDList] = [:]
    public var controllers: [Controller] = []
    public var effects: [Effect] = []
    public var materials: [Material] = []
    public var images: [Image] = []
    public var cameras: [Camera] = []
    public var lights: [Light] = []
    public var animations: [Animation] = []
    public var animationClips: [AnimationClip] = []
    /// Every node, library nodes and those of all visual scenes; children stand before their parents.
    public var nodes: [Node] = []
    /// By the place in ``nodes``: few nodes hold instances with sids, and the others are not to pay for them.
    public var instanceSIDs: [Int: [InstanceSID]] = [:]
    public var visualScenes: [VisualScene] = []
    /// Those of the library, and those that stand within bodies and shapes.
    public var physicsMaterials: [PhysicsMaterial] = []
    public var forceFields: [ForceField] = []
    public var physicsModels: [PhysicsModel] = []
    public var physicsScenes: [PhysicsScene] = []
    /// Those of the library, and those that stand within models.
    public var joints: [Joint] = []
    public var kinematicsModels: [KinematicsModel] = []
    public var articulatedSystems: [ArticulatedSystem] = []
    public var kinematicsScenes: [KinematicsScene] = []
    /// Those of the library, and those that stand within models and systems.
    public var formulas: [Formula] = []
    /// `nil` without a `<scene>`.
    public var scene: SceneReference?

    public init() {}

    /// What `<scene>` instances.
    public struct SceneReference: Sendable {
        public var visualScene: Reference?
        /// 1.3: the visual scene that stands in it, into ``ColladaDocument/visualScenes``.
        public var own: Int?
        public var physicsScenes: [Reference] = []
        public var kinematicsScenes: [InstanceKinematicsScene] = []
    }

    public struct VisualScene: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Into ``ColladaDocument/nodes``.
        public var nodes: [Int]
    }
}

extension ColladaDocument {
    public struct Camera: Sendable {
        public var position: XMLPosition
        public var camera: SceneModel.Camera
        /// By the sids that channels address them with.
        public var parameters: [String: AnimationTarget.CameraParameter]
    }

    public struct Light: Sendable {
        public var position: XMLPosition
        public var light: SceneModel.Light
        /// By the sids that channels address them with.
        public var parameters: [String: AnimationTarget.LightParameter]
    }

    public struct Node: Sendable {
        /// What is within a node beside its transforms, in the file's order.
        public enum Content: Sendable {
            /// Into ``ColladaDocument/nodes``.
            case node(Int)
            case instanceNode(Reference)
            case instanceGeometry(Reference, materials: [InstanceMaterial])
            /// With the roots of its skeleton.
            case instanceController(Reference, skeletons: [Reference], materials: [InstanceMaterial])
            case instanceCamera(Reference)
            case instanceLight(Reference)
            /// 1.3: what it instances shows by the target.
            case instance(Reference)
        }
        /// What it is by itself; the scene's node has the same where only figures are read.
        var record: NodeRecord
        public var position: XMLPosition
        public internal(set) var contents: Contents

        public var id: String? { record.id }
        public var name: String? { record.name }
        public var sid: String? { record.sid }
        public var kind: SceneModel.Node.Kind { record.kind }
        /// In the file's order.
        public var transforms: [Transform] { record.transforms }
        /// The transforms' sids, in their order; empty where none has one.
        public var transformSIDs: [String?] { record.transformSIDs }
    }

    /// The sid of an instance within a node; its place in the file is its reference's.
    public struct InstanceSID: Sendable {
        /// Into the node's ``Node/contents``.
        public var content: Int
        public var sid: String
    }

    public struct InstanceMaterial: Sendable {
        public var symbol: String
        public var target: Reference
        public var vertexInputs: [MaterialBinding.VertexInput] = []
        public var parameters: [MaterialBinding.Parameter] = []
    }
}

extension ColladaDocument {
    /// Who made a document, and in which units and axes.
    public struct Asset: Sendable {
        public struct Unit: Sendable {
            public var name: String?
            /// Metres in one unit; `nil` when it is no positive number.
            public var meter: Double?
        }
        public var contributors: [Contributor] = []
        public var created: String?
        public var modified: String?
        public var title: String?
        public var keywords: String?
        public var revision: String?
        public var subject: String?
        /// 1.5: where on earth it is.
        public var location: GeographicLocation?
        /// `nil` when the file gives none.
        public var unit: Unit?
        /// `nil` when the file gives none; y up for one that does not exist.
        public var upAxis: Scene.UpAxis?
    }

    public struct Contributor: Sendable {
        public var author: String?
        /// 1.5.
        public var authorEmail: String?
        /// 1.5.
        public var authorWebsite: String?
        public var authoringTool: String?
        public var comments: String?
        public var copyright: String?
        public var sourceData: String?
    }

    /// A place on earth, on the ellipsoid of WGS 84.
    public struct GeographicLocation: Sendable {
        public enum AltitudeMode: String, Sendable, CaseIterable {
            case absolute, relativeToGround
        }
        /// Degrees, east of Greenwich; −180...180.
        public var longitude: Double
        /// Degrees, north of the equator; −90...90.
        public var latitude: Double
        /// Metres, above sea level or above the ground.
        public var altitude: Double
        public var altitudeMode: AltitudeMode
    }

    /// The asset of a library or of a single element: its unit and axis count for all within.
    public struct NestedAsset: Sendable {
        public var asset: Asset
        /// The name of the element it is about.
        public var owner: String
        public var position: XMLPosition
        /// Where the element it is about begins and ends, in bytes of the document.
        var start: Int64
        var end: Int64
    }
}

// Asked of every node of a document, where each look from without would copy the node.

extension ColladaDocument {
    /// How many nodes are joints.
    package var jointCount: Int {
        let nodes = nodes.span
        var count = 0
        for index in nodes.indices where nodes[index].record.kind == .joint { count += 1 }
        return count
    }

    /// The nodes directly within which more than one sid stands: those of their transforms, of the nodes in them, and of
    /// their instances.
    package var nodesOfSeveralSIDs: [Int] {
        var found: [Int] = []
        let span = nodes.span
        nodes.forEachContents { index, store, places in
            var count = span[index].record.transformSIDCount
            if !instanceSIDs.isEmpty { count += instanceSIDs[index]?.count ?? 0 }
            for place in places {
                guard let child = store.child(at: place) else { continue }
                if span[child].record.hasSID { count += 1 }
            }
            if count > 1 { found.append(index) }
        }
        return found
    }
}

extension [ColladaDocument.Node] {
    /// Every node that stands in another one of the list, with that one; in the order of those around.
    package func forEachChild(_ visit: (_ child: Int, _ parent: Int) -> Void) {
        forEachContents { index, store, places in
            for place in places {
                if let child = store.child(at: place) { visit(child, index) }
            }
        }
    }

    /// The contents of some kinds; the others are not made for it.
    package func forEachContent(
        where isWanted: (ColladaDocument.Node.Content.Kind) -> Bool, _ visit: (ColladaDocument.Node.Content) -> Void
    ) {
        forEachContents { _, store, places in
            for place in places where isWanted(store.kind(at: place)) { visit(store.content(at: place)) }
        }
    }

    /// What the instances of nodes refer to, with the node; those whose text is wanted, and all roots of skeletons.
    package func forEachReference(
        where isWanted: (ColladaDocument.Node.ReferenceText) -> Bool,
        _ visit: (borrowing ColladaDocument.Reference, _ node: Int) -> Void
    ) {
        forEachContents { index, store, places in
            for place in places { store.forEachReference(at: place, where: isWanted) { visit($0, index) } }
        }
    }
}

extension RandomAccessCollection where Element == ColladaDocument.Node, Index == Int {
    /// Shows of each node the store of its contents, and their places there.
    @inline(__always)
    fileprivate func forEachContents(_ visit: (_ node: Int, ContentStore, _ places: Range<Int>) -> Void) {
        guard var store = first?.contents.store else { return }
        for index in indices {
            // Nearly all have the same one, and to take it from each node would count it each time.
            if self[index].contents.store !== store { store = self[index].contents.store }
            visit(index, store, self[index].contents.range)
        }
    }
}
