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
    /// What was given.
    public var source: Source
    /// The bundle, and which of its documents is the scene.
    public var bundle: BundleSummary
    /// What the document says about itself.
    public var document: DocumentSummary
    /// Elements in the document, and what those that are used hold.
    public var counts: Counts
    package var physics: PhysicsCounts
    package var kinematics: KinematicsCounts
    /// What the instanced visual scene shows.
    public var scene: SceneSummary
    package var geometries: [GeometryRow]
    package var materials: [MaterialRow]
    /// Every image, in the document's order, with how its file was found; place for place those of the scene.
    public var images: [ImageRow]
    package var animations: [AnimationRow]
    package var animationClips: [ClipRow]
    package var cameras: [CameraRow]
    package var lights: [LightRow]
    package var controllers: [ControllerRow]
    /// `nil` where one document was read.
    package var linked: Linked?
    /// What is wrong, and what was repaired.
    public var findings: FindingLog

    /// What was given.
    public struct Source: Sendable, Equatable {
        /// As it was given, but for a user name and password.
        public var input: String
        package var kind: Bundle.Kind?
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

    /// The bundle, and which of its documents is the scene.
    public struct BundleSummary: Sendable, Equatable {
        /// Files in the bundle.
        public var entries: Int
        /// Of all entries, inflated.
        public var bytes: Int64
        /// The document that is the scene, as a path in the bundle.
        public var scenePath: String
        /// Why that document is the scene.
        public var rule: SceneRule
        /// The manifest that names the scene; `nil` where none does.
        package var manifest: String?
        package var candidates: [String]
        /// The documents of all models that the manifest shows together, the scene's own first; empty where it shows one
        /// as it is.
        package var models: [String]
        /// Entries that nothing refers to, junk left out; empty for a lone document.
        public var unused: [String]
        /// Groups of entries that hold the same bytes, by the size and CRC-32 that the archive declares; empty ones and
        /// junk left out.
        package var duplicates: [[String]]
    }

    /// What the document says about itself.
    public struct DocumentSummary: Sendable, Equatable {
        /// COLLADA's version as the document names it, such as `1.4.1`.
        public var version: String?
        /// The encoding it was read in.
        public var encoding: String?
        /// Bytes of markup.
        public var bytes: Int64
        /// The programs that made it, each once.
        public var authoringTools: [String]
        /// The axis that points up; Y where nothing is said.
        public var upAxis: Dae.Scene.UpAxis
        /// What the document calls its unit of length.
        public var unitName: String?
        /// Metres in one unit of length; 1 where nothing is said.
        public var metersPerUnit: Double
        /// Whether the document says how long its unit is.
        package var statesUnit: Bool
        /// Who made it and whose it is, each name once.
        package var authors: [String]
        /// What the document says about rights, each text once.
        package var copyrights: [String]
        package var created: String?
        package var modified: String?
        /// The title of the document.
        public var title: String?
    }

    /// Elements in the chosen document, used or not, except where the scene is named.
    public struct Counts: Sendable, Equatable {
        /// `<geometry>` elements, used or not.
        public var geometries = 0
        /// Primitive elements with at least one primitive, of the geometries in use.
        public var submeshes = 0
        /// Of the geometries in use, each once.
        public var triangles = 0
        /// Corners as they are written, of faces that the scene uses.
        public var faceCorners = 0
        /// Distinct positions in the sources of the geometries that the scene uses.
        public var positions = 0
        /// Segments of lines and line strips that the scene uses.
        public var lines = 0
        /// `<material>` elements.
        public var materials = 0
        /// `<effect>` elements.
        package var effects = 0
        /// `<image>` elements, those within effects as well.
        public var images = 0
        /// `<camera>` elements.
        public var cameras = 0
        /// `<light>` elements.
        public var lights = 0
        /// `<controller>` elements.
        public var controllers = 0
        /// Controllers that are skins.
        public var skins = 0
        /// Controllers that are morphs.
        public var morphs = 0
        /// Nodes of type JOINT.
        public var joints = 0
        /// `<animation>` elements, those within others as well.
        public var animations = 0
        /// `<channel>` elements.
        public var animationChannels = 0
        /// `<animation_clip>` elements.
        public var animationClips = 0
        /// `<node>` elements.
        public var nodes = 0
        package var visualScenes = 0
        package var physicsScenes = 0
        package var kinematicsScenes = 0
    }

    /// What the instanced visual scene shows.
    public struct SceneSummary: Sendable, Equatable {
        /// The name of the visual scene.
        public var name: String?
        /// Reached from the visual scene, an instanced node each time.
        public var nodes: Int
        /// Nodes on the longest path; a root is 1.
        public var depth: Int
        /// Instances of geometries and controllers that are reached.
        public var instances: Int
        /// Triangles of all instances, each time.
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
        public var bounds: Dae.Bounds? {
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
    package struct GeometryRow: Sendable, Equatable {
        package var id: String?
        package var name: String?
        /// `mesh`, `convex_mesh`, `spline`, `brep` or `empty`.
        package var kind: String
        package var isUsed: Bool
        package var measure: MeshMeasure
    }

    package struct MaterialRow: Sendable, Equatable {
        package var id: String?
        package var name: String?
        package var effect: String?
        package var shading: Dae.Shading?
        package var isUsed: Bool
        /// Ids of the images its effect samples.
        package var images: [String]
        package var opacity: Dae.Opacity
        /// `nil` when the document does not say.
        package var sides: Dae.Material.Sides?
        package var textures: [TextureRow]
    }

    /// One texture of a material.
    package struct TextureRow: Sendable, Equatable {
        /// What it gives, such as `diffuse` or `bump`.
        package var property: String
        /// The id of its image.
        package var image: String?
        /// The name that instances bind to texture coordinates.
        package var texcoord: String
    }

    /// An image, and how its file was found.
    public struct ImageRow: Sendable, Equatable {
        /// What became of looking for an image's file.
        public enum Status: String, Sendable, CaseIterable {
            case found, missing, embedded, blocked, ambiguous, remote
        }
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// As written; `nil` when the image names none.
        public var reference: String?
        /// What became of looking for the file.
        public var status: Status
        /// What is wrong with a file that was found. Raw values are stable.
        package enum Fault: String, Sendable, CaseIterable {
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
        package var reason: String?
        /// None unless found.
        package var faults: [Fault] = []
        /// The rule by which it was found.
        public var rule: ResolutionRule?
        /// How sure that is; `nil` unless found.
        package var confidence: Resolution.Confidence?
        /// Whether it is no part of the bundle.
        package var isOutside = false
        /// Bytes of the file; `nil` without one.
        public var bytes: Int64?
        /// The format by the file's own bytes, whatever it is called; `nil` for none that is known.
        public var format: ImageFormat?
        /// In pixels; `nil` where it is not known.
        public var width: Int?
        /// In pixels; `nil` where it is not known.
        public var height: Int?
        package var channels: Int?
        /// An estimate of its memory on a graphics card, with all smaller levels.
        package var gpuBytes: Int64?
        /// Whether the file is cut short; `nil` where only a decoder could say.
        package var isTruncated: Bool?
    }

    package struct AnimationRow: Sendable, Equatable {
        package var id: String?
        package var name: String?
        package var channels: Int
        /// First and last key of its own samplers in seconds; `nil` without keys.
        package var span: ClosedRange<Double>?
    }

    package struct ClipRow: Sendable, Equatable {
        package var id: String?
        package var name: String?
        /// Seconds.
        package var start: Double
        /// Seconds; `nil` without keys to tell by.
        package var end: Double?
        /// Animations it names.
        package var animations: Int

        /// Seconds; `nil` where its end is not known or lies before its start.
        package var duration: Double? { end.flatMap { $0 >= start ? $0 - start : nil } }
    }

    package struct CameraRow: Sendable, Equatable {
        package var camera: Dae.Camera
    }

    package struct LightRow: Sendable, Equatable {
        package var light: Dae.Light
    }

    package struct ControllerRow: Sendable, Equatable {
        package var id: String?
        package var name: String?
        package var kind: Dae.Controller.Kind?
    }
}

extension Inspection {
    /// Elements of physics in the document, used or not.
    package struct PhysicsCounts: Sendable, Equatable {
        /// Those within bodies and shapes too.
        package var materials = 0
        package var models = 0
        package var scenes = 0
        package var rigidBodies = 0
        /// Of rigid bodies, and of instances of them.
        package var shapes = 0
        package var constraints = 0
        package var forceFields = 0
    }

    /// Elements of kinematics in the document, used or not.
    package struct KinematicsCounts: Sendable, Equatable {
        package var models = 0
        package var scenes = 0
        package var articulatedSystems = 0
        /// Those within models too.
        package var joints = 0
        /// The joints that models have, by instances or of their own.
        package var modelJoints = 0
        package var links = 0
        package var formulas = 0
        /// OpenRAVE's.
        package var manipulators = 0
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
