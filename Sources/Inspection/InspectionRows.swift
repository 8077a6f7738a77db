public import ImageProbe
public import ResourceLocator
public import SceneModel

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
        /// An estimate of its memory on a graphics card, as ``ImageHeader/gpuBytes``.
        public var gpuBytes: Int64?
        /// `nil` where that is not known; ``ImageEnding`` says when.
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
