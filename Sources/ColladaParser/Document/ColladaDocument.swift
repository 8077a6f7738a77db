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
