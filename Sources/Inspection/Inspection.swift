public import Archive
public import BundleManifest
public import Diagnostics
public import SceneModel

/// What is inside one source, as values: what `dae inspect` prints and what services hand on as JSON.
///
/// What each count means is said at its property; all of them agree with the committed JSON Schema.
public struct Inspection: Sendable, Equatable {
    public var source: Source
    public var bundle: BundleSummary
    public var document: DocumentSummary
    public var counts: Counts
    public var physics: PhysicsCounts
    public var kinematics: KinematicsCounts
    public var scene: SceneSummary
    public var geometries: [GeometryRow]
    public var materials: [MaterialRow]
    public var images: [ImageRow]
    public var animations: [AnimationRow]
    public var animationClips: [ClipRow]
    public var cameras: [CameraRow]
    public var lights: [LightRow]
    public var controllers: [ControllerRow]
    /// `nil` where one document was read.
    public var linked: Linked?
    public var findings: FindingLog

    public struct Source: Sendable, Equatable {
        /// As it was given, but for a user name and password.
        public var input: String
        public var kind: Bundle.Kind?
        /// Of the file or download; `nil` for a folder.
        public var bytes: Int64?
        /// Hexadecimal; `nil` for a folder.
        public var sha256: String?

        public init(input: String, kind: Bundle.Kind? = nil, bytes: Int64? = nil, sha256: String? = nil) {
            self.input = input
            self.kind = kind
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    public struct BundleSummary: Sendable, Equatable {
        public var entries: Int
        /// Of all entries, inflated.
        public var bytes: Int64
        public var scenePath: String
        public var rule: SceneRule
        /// The manifest that names the scene; `nil` where none does.
        public var manifest: String?
        public var candidates: [String]
        /// The documents of all models that the manifest shows together, the scene's own first; empty where it shows one
        /// as it is.
        public var models: [String]
        /// Entries that nothing refers to, junk left out; empty for a lone document.
        public var unused: [String]
        /// Groups of entries that hold the same bytes, by the size and CRC-32 that the archive declares; empty ones and
        /// junk left out.
        public var duplicates: [[String]]
    }

    public struct DocumentSummary: Sendable, Equatable {
        public var version: String?
        public var encoding: String?
        public var bytes: Int64
        public var authoringTools: [String]
        public var upAxis: Scene.UpAxis
        public var unitName: String?
        public var metersPerUnit: Double
        /// Whether the document says how long its unit is.
        public var statesUnit: Bool
        /// Who made it and whose it is, each name once.
        public var authors: [String]
        public var copyrights: [String]
        public var created: String?
        public var modified: String?
        public var title: String?
    }

    /// Elements in the chosen document, used or not, except where the scene is named.
    public struct Counts: Sendable, Equatable {
        public var geometries = 0
        /// Primitive elements with at least one primitive, of the geometries in use.
        public var submeshes = 0
        /// Of the geometries in use, each once.
        public var triangles = 0
        public var faceCorners = 0
        public var positions = 0
        public var lines = 0
        public var materials = 0
        public var effects = 0
        public var images = 0
        public var cameras = 0
        public var lights = 0
        public var controllers = 0
        public var skins = 0
        public var morphs = 0
        /// Nodes of type JOINT.
        public var joints = 0
        public var animations = 0
        public var animationChannels = 0
        public var animationClips = 0
        public var nodes = 0
        public var visualScenes = 0
        public var physicsScenes = 0
        public var kinematicsScenes = 0
    }

    public struct SceneSummary: Sendable, Equatable {
        public var name: String?
        /// Reached from the visual scene, an instanced node each time.
        public var nodes: Int
        public var depth: Int
        public var instances: Int
        public var triangles: Int
        private let extent: Extent

        // Behind a reference: values aligned to more than 16 bytes spoil the frame of an asynchronous function.
        private indirect enum Extent: Sendable, Equatable {
            case none
            case box(Bounds, sizeInMeters: SIMD3<Double>?)
        }

        init(
            name: String?, nodes: Int, depth: Int, instances: Int, triangles: Int, bounds: Bounds?,
            sizeInMeters: SIMD3<Double>?
        ) {
            self.name = name
            self.nodes = nodes
            self.depth = depth
            self.instances = instances
            self.triangles = triangles
            extent = bounds.map { .box($0, sizeInMeters: sizeInMeters) } ?? .none
        }

        /// In the document's units and axes; `nil` without a mesh.
        public var bounds: Bounds? {
            switch extent {
            case .none: nil
            case .box(let bounds, _): bounds
            }
        }

        /// Along the document's x, y and z; `nil` without a mesh, or when it is too large for a number.
        public var sizeInMeters: SIMD3<Double>? {
            switch extent {
            case .none: nil
            case .box(_, let size): size
            }
        }
    }
}
