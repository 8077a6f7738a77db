package import DaeScene
package import DaeXML

/// A document as the file says it: every library, references still as they were written.
///
/// What it means, with every reference resolved, is a ``Scene``.
package struct ColladaDocument: Sendable {
    /// The `version` attribute as written; `nil` when there is none.
    package var version: String?
    package var namespace: String?
    /// The usual name of the encoding, such as `UTF-8`.
    package var encoding: String?
    /// Which of several documents that are read into one it is; 0 is the first.
    package var number = 0
    /// Bytes of the document.
    package var bytes: Int64 = 0
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
        package var camera: DaeScene.Camera
        /// By the sids that channels address them with.
        package var parameters: [String: AnimationTarget.CameraParameter]
    }

    package struct Light: Sendable {
        package var position: XMLPosition
        package var light: DaeScene.Light
        /// By the sids that channels address them with.
        package var parameters: [String: AnimationTarget.LightParameter]
    }

    package struct Node: Sendable {
        /// What is within a node beside its transforms.
        package enum Content: Sendable {
            /// Into ``ColladaDocument/nodes``.
            case node(Int)
            case instanceNode(Reference)
            case instanceGeometry(Reference, materials: [InstanceMaterial])
            /// With the roots of its skeleton.
            indirect case instanceController(Reference, skeletons: [Reference], materials: [InstanceMaterial])
            case instanceCamera(Reference)
            case instanceLight(Reference)
            /// 1.3: what it instances shows by the target.
            case instance(Reference)
        }
        package var id: String?
        package var name: String?
        package var sid: String?
        package var kind: DaeScene.Node.Kind
        /// Whether an `<extra>` says that it is not shown.
        var isHidden: Bool
        var transformList: TransformList
        /// The transforms' sids, in their order; empty where none has one.
        package var transformSIDs: [String?]
        package var position: XMLPosition
        /// In the file's order.
        package internal(set) var contents: [Content]

        /// In the file's order.
        package var transforms: [Transform] { transformList.array }
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

extension ColladaDocument {
    /// The nodes directly within which more than one sid stands: those of their transforms, of the nodes in them, and of
    /// their instances.
    package var nodesOfSeveralSIDs: [Int] {
        var several: [Int] = []
        // In a span: what is taken out of a list would be copied.
        let all = nodes.span
        for index in all.indices {
            var count = instanceSIDs[index]?.count ?? 0
            for sid in all[index].transformSIDs where sid?.isEmpty == false { count += 1 }
            all[index].forEachChild { if nodes[$0].sid?.isEmpty == false { count += 1 } }
            if count > 1 { several.append(index) }
        }
        return several
    }
}

extension ColladaDocument.Node {
    /// The nodes within it, by their places in the document's list.
    package var children: [Int] {
        var children: [Int] = []
        forEachChild { children.append($0) }
        return children
    }

    package func forEachChild(_ visit: (Int) -> Void) {
        // By index: a content taken out of its list would be copied, with all it holds.
        for place in contents.indices {
            if case .node(let child) = contents[place] { visit(child) }
        }
    }

    /// What its instances refer to, and what their skeletons and materials do.
    package func forEachReference(_ visit: (ColladaDocument.Reference) -> Void) {
        for content in contents {
            switch content {
            case .node: break
            case .instanceNode(let reference), .instanceCamera(let reference), .instanceLight(let reference),
                .instance(let reference):
                visit(reference)
            case .instanceGeometry(let reference, let materials):
                visit(reference)
                for material in materials { visit(material.target) }
            case .instanceController(let reference, let skeletons, let materials):
                visit(reference)
                for root in skeletons { visit(root) }
                for material in materials { visit(material.target) }
            }
        }
    }
}
