public import DaeArchive
import DaeCollada
public import DaeDiagnostics
public import DaeImages
public import DaeResources
public import DaeScene

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

        package init(input: String, kind: Bundle.Kind? = nil, bytes: Int64? = nil, sha256: String? = nil) {
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

extension Inspection {
    public struct GeometryRow: Sendable, Equatable {
        public var id: String?
        public var name: String?
        /// `mesh`, `convex_mesh`, `spline`, `brep` or `empty`.
        public var kind: String
        public var isUsed: Bool
        public var measure: MeshMeasure
    }

    public struct MaterialRow: Sendable, Equatable {
        public var id: String?
        public var name: String?
        public var effect: String?
        public var shading: Shading?
        public var isUsed: Bool
        /// Ids of the images its effect samples.
        public var images: [String]
        public var opacity: Opacity
        /// `nil` when the document does not say.
        public var sides: Material.Sides?
        public var textures: [TextureRow]
    }

    /// One texture of a material.
    public struct TextureRow: Sendable, Equatable {
        /// What it gives, such as `diffuse` or `bump`.
        public var property: String
        /// The id of its image.
        public var image: String?
        /// The name that instances bind to texture coordinates.
        public var texcoord: String
    }

    public struct ImageRow: Sendable, Equatable {
        public enum Status: String, Sendable, CaseIterable {
            case found, missing, embedded, blocked, ambiguous, remote
        }
        public var id: String?
        public var name: String?
        /// As written; `nil` when the image names none.
        public var reference: String?
        public var status: Status
        /// What is wrong with a file that was found. Raw values are stable.
        public enum Fault: String, Sendable, CaseIterable {
            /// No byte is in it.
            case empty
            /// It ends before its pixels do.
            case truncated
            /// Its format is known, and its header cannot be true.
            case invalid
            /// Its name promises a format, and it is of none that is known.
            case unrecognised
            /// Its bytes cannot be read; the row's reason says why.
            case unreadable
            /// It is of another format than its name says.
            case mislabelled
        }
        /// The entry in the bundle, or how a file outside is called: one of the web by its address.
        public var path: String?
        /// Why there is no file, or why it cannot be read, where the status alone does not say.
        public var reason: String?
        /// None unless found.
        public var faults: [Fault] = []
        /// The rule by which it was found.
        public var rule: ResolutionRule?
        /// How sure that is; `nil` unless found.
        public var confidence: Resolution.Confidence?
        /// Whether it is no part of the bundle.
        public var isOutside = false
        public var bytes: Int64?
        public var format: ImageFormat?
        public var width: Int?
        public var height: Int?
        public var channels: Int?
        /// An estimate of its memory on a graphics card, with all smaller levels.
        public var gpuBytes: Int64?
        /// Whether the file is cut short; `nil` where only a decoder could say.
        public var isTruncated: Bool?
    }

    public struct AnimationRow: Sendable, Equatable {
        public var id: String?
        public var name: String?
        public var channels: Int
        /// First and last key of its own samplers in seconds; `nil` without keys.
        public var span: ClosedRange<Double>?
    }

    public struct ClipRow: Sendable, Equatable {
        public var id: String?
        public var name: String?
        /// Seconds.
        public var start: Double
        /// Seconds; `nil` without keys to tell by.
        public var end: Double?
        /// Animations it names.
        public var animations: Int

        /// Seconds; `nil` where its end is not known or lies before its start.
        public var duration: Double? { end.flatMap { $0 >= start ? $0 - start : nil } }
    }

    public struct CameraRow: Sendable, Equatable {
        public var camera: Camera
    }

    public struct LightRow: Sendable, Equatable {
        public var light: Light
    }

    public struct ControllerRow: Sendable, Equatable {
        public var id: String?
        public var name: String?
        public var kind: Controller.Kind?
    }
}

extension Inspection {
    /// Elements of physics in the document, used or not.
    public struct PhysicsCounts: Sendable, Equatable {
        /// Those within bodies and shapes too.
        public var materials = 0
        public var models = 0
        public var scenes = 0
        public var rigidBodies = 0
        /// Of rigid bodies, and of instances of them.
        public var shapes = 0
        public var constraints = 0
        public var forceFields = 0
    }

    /// Elements of kinematics in the document, used or not.
    public struct KinematicsCounts: Sendable, Equatable {
        public var models = 0
        public var scenes = 0
        public var articulatedSystems = 0
        /// Those within models too.
        public var joints = 0
        /// The joints that models have, by instances or of their own.
        public var modelJoints = 0
        public var links = 0
        public var formulas = 0
        /// OpenRAVE's.
        public var manipulators = 0
    }
}

extension Inspection.PhysicsCounts {
    init(_ document: ColladaDocument) {
        materials = document.physicsMaterials.count
        models = document.physicsModels.count
        scenes = document.physicsScenes.count
        forceFields = document.forceFields.count
        var instances = document.physicsScenes.flatMap(\.instances)
        for model in document.physicsModels {
            rigidBodies += model.bodies.count
            constraints += model.constraints.count
            shapes += model.bodies.reduce(0) { $0 + $1.properties.shapes.count }
            instances += model.instances
        }
        for body in instances.lazy.flatMap(\.bodies) { shapes += body.overrides.shapes.count }
    }

    var json: JSONValue {
        [
            "materials": JSONValue(materials), "models": JSONValue(models), "scenes": JSONValue(scenes),
            "rigidBodies": JSONValue(rigidBodies), "shapes": JSONValue(shapes), "constraints": JSONValue(constraints),
            "forceFields": JSONValue(forceFields),
        ]
    }
}

extension Inspection.KinematicsCounts {
    init(_ document: ColladaDocument) {
        models = document.kinematicsModels.count
        scenes = document.kinematicsScenes.count
        articulatedSystems = document.articulatedSystems.count
        joints = document.joints.count
        formulas = document.formulas.count
        for model in document.kinematicsModels {
            modelJoints += model.joints.count
            links += model.links.count
        }
        manipulators = document.articulatedSystems.reduce(0) { $0 + $1.openRAVE.manipulators.count }
    }

    var json: JSONValue {
        [
            "models": JSONValue(models), "scenes": JSONValue(scenes),
            "articulatedSystems": JSONValue(articulatedSystems), "joints": JSONValue(joints),
            "modelJoints": JSONValue(modelJoints), "links": JSONValue(links), "formulas": JSONValue(formulas),
            "manipulators": JSONValue(manipulators),
        ]
    }
}
