package import SceneModel
package import XMLReader

/// A document as the file says it: every library, references still as they were written.
///
/// What it means, with every reference resolved, is a ``Scene``.
public struct ColladaDocument: Sendable {
    /// The `version` attribute as written; `nil` when there is none.
    package var version: String?
    package var namespace: String?
    /// The usual name of the encoding, such as `UTF-8`.
    package var encoding: String?
    /// Which of several documents that are read into one it is; 0 is the first.
    package var number = 0
    /// Bytes of the document.
    public var bytes: Int64 = 0
    /// `nil` when the document has none of its own.
    package var asset: Asset?
    /// Those of libraries and single elements, in the file's order.
    package var nestedAssets: [NestedAsset] = []
    /// The references that lead into other files: the first to each.
    package var otherDocuments: [Reference] = []
    package var geometries: [Geometry] = []
    /// The places in ``geometries``, rising, of meshes that an examiner asked for again: they have their sources still.
    package internal(set) var meshesAskedAgain: [Int] = []
    /// Those of meshes that were kept without their sources.
    var sourceIDs = IDList()
    /// Those of animations that were kept without their sources' ids, by ``XMLReader/XMLPosition/document``.
    var animationSourceIDs: [Int: IDList] = [:]
    package var controllers: [Controller] = []
    package var effects: [Effect] = []
    package var materials: [Material] = []
    package var images: [Image] = []
    package var cameras: [Camera] = []
    package var lights: [Light] = []
    package var animations: [Animation] = []
    package var animationClips: [AnimationClip] = []
    /// Every node, library nodes and those of all visual scenes; children stand before their parents.
    package var nodes: [Node] = []
    /// By the place in ``nodes``: few nodes hold instances with sids, and the others are not to pay for them.
    package var instanceSIDs: [Int: [InstanceSID]] = [:]
    package var visualScenes: [VisualScene] = []
    /// Those of the library, and those that stand within bodies and shapes.
    package var physicsMaterials: [PhysicsMaterial] = []
    package var forceFields: [ForceField] = []
    package var physicsModels: [PhysicsModel] = []
    package var physicsScenes: [PhysicsScene] = []
    /// Those of the library, and those that stand within models.
    package var joints: [Joint] = []
    package var kinematicsModels: [KinematicsModel] = []
    package var articulatedSystems: [ArticulatedSystem] = []
    package var kinematicsScenes: [KinematicsScene] = []
    /// Those of the library, and those that stand within models and systems.
    package var formulas: [Formula] = []
    /// `nil` where it is not asked for.
    var outline: DocumentOutline?
    /// `nil` without a `<scene>`.
    package var scene: SceneReference?

    package init() {}

    /// What `<scene>` instances.
    package struct SceneReference: Sendable {
        package var visualScene: Reference?
        /// 1.3: the visual scene that stands in it, into ``ColladaDocument/visualScenes``.
        package var own: Int?
        package var physicsScenes: [Reference] = []
        package var kinematicsScenes: [InstanceKinematicsScene] = []
    }

    package struct VisualScene: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        /// Into ``ColladaDocument/nodes``.
        package var nodes: [Int]
    }
}

extension ColladaDocument {
    package struct Camera: Sendable {
        package var position: XMLPosition
        package var camera: SceneModel.Camera
        /// By the sids that channels address them with.
        package var parameters: [String: AnimationTarget.CameraParameter]
    }

    package struct Light: Sendable {
        package var position: XMLPosition
        package var light: SceneModel.Light
        /// By the sids that channels address them with.
        package var parameters: [String: AnimationTarget.LightParameter]
    }

    package struct Node: Sendable {
        /// What is within a node beside its transforms, in the file's order.
        package enum Content: Sendable {
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
        package var position: XMLPosition
        package internal(set) var contents: Contents

        package var id: String? { record.id }
        package var name: String? { record.name }
        package var sid: String? { record.sid }
        package var kind: SceneModel.Node.Kind { record.kind }
        /// In the file's order.
        package var transforms: [Transform] { record.transforms }
        /// The transforms' sids, in their order; empty where none has one.
        package var transformSIDs: [String?] { record.transformSIDs }
    }

    /// The sid of an instance within a node; its place in the file is its reference's.
    package struct InstanceSID: Sendable {
        /// Into the node's ``Node/contents``.
        package var content: Int
        package var sid: String
    }

    package struct InstanceMaterial: Sendable {
        package var symbol: String
        package var target: Reference
        package var vertexInputs: [MaterialBinding.VertexInput] = []
        package var parameters: [MaterialBinding.Parameter] = []
    }
}

extension ColladaDocument {
    /// Who made a document, and in which units and axes.
    package struct Asset: Sendable {
        package struct Unit: Sendable {
            package var name: String?
            /// Metres in one unit; `nil` when it is no positive number.
            package var meter: Double?
        }
        package var contributors: [Contributor] = []
        package var created: String?
        package var modified: String?
        package var title: String?
        package var keywords: String?
        package var revision: String?
        package var subject: String?
        /// 1.5: where on earth it is.
        package var location: GeographicLocation?
        /// `nil` when the file gives none.
        package var unit: Unit?
        /// `nil` when the file gives none; y up for one that does not exist.
        package var upAxis: Scene.UpAxis?
    }

    package struct Contributor: Sendable {
        package var author: String?
        /// 1.5.
        package var authorEmail: String?
        /// 1.5.
        package var authorWebsite: String?
        package var authoringTool: String?
        package var comments: String?
        package var copyright: String?
        package var sourceData: String?
    }

    /// A place on earth, on the ellipsoid of WGS 84.
    package struct GeographicLocation: Sendable {
        package enum AltitudeMode: String, Sendable, CaseIterable {
            case absolute, relativeToGround
        }
        /// Degrees, east of Greenwich; −180...180.
        package var longitude: Double
        /// Degrees, north of the equator; −90...90.
        package var latitude: Double
        /// Metres, above sea level or above the ground.
        package var altitude: Double
        package var altitudeMode: AltitudeMode
    }

    /// The asset of a library or of a single element: its unit and axis count for all within.
    package struct NestedAsset: Sendable {
        package var asset: Asset
        /// The name of the element it is about.
        package var owner: String
        package var position: XMLPosition
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
