public import Diagnostics
public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Effect: Sendable, Hashable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Of the common profile; `nil` without one.
        public var common: Technique?
        /// The other profiles that are there, such as `profile_GLSL`.
        public var otherProfiles: [String]
        /// By sid, those of effect, profile and technique together; the innermost counts.
        public var parameters: [String: Parameter]
        public var extras: [Extra]

    }

    /// What the common profile says of a surface.
    public struct Technique: Sendable, Hashable {
        public var position: XMLPosition
        public var shading: Shading
        public var slots: [Slot: Value]
        /// As written; `nil` for none.
        public var opaque: String?
        public var extras: [Extra]

        /// The properties of the four shading models, by the names the file gives them.
        public enum Slot: String, Sendable, Hashable, CaseIterable {
            case emission, ambient, diffuse, specular, shininess, reflective, reflectivity, transparent, transparency
            case indexOfRefraction = "index_of_refraction"
        }

        public enum Value: Sendable, Hashable {
            /// Red, green, blue, alpha; 1 where a fourth is missing.
            case color(SIMD4<Double>)
            case number(Double)
            case texture(Texture)
            /// By the sid of a parameter.
            case parameter(String)

            var texture: Texture? {
                switch self {
                case .texture(let texture): texture
                case .color, .number, .parameter: nil
                }
            }
        }

        public struct Texture: Sendable, Hashable {
            /// The sid of a sampler, or the id of an image where an exporter wrote that.
            public var sampler: String
            /// The name that `<bind_vertex_input>` binds to texture coordinates.
            public var texcoord: String
            public var extras: [Extra]
        }
    }

    public enum Parameter: Sendable, Hashable {
        case surface(Surface)
        case sampler(Sampler2D)
        /// One to four numbers.
        case numbers([Double])
        case other

        public struct Surface: Sendable, Hashable {
            /// `2D`, `CUBE`, …
            public var type: String?
            /// The images' ids, as 1.4 has them.
            public var images: [String]
        }

        public struct Sampler2D: Sendable, Hashable {
            /// By the sid of a surface, as 1.4 has it.
            public var surface: String?
            /// By the image's address, as 1.5 has it.
            public var image: Reference?
            public var wrapS: String?
            public var wrapT: String?
            public var minFilter: String?
            public var magFilter: String?
            public var mipFilter: String?
            public var extras: [Extra]
        }
    }

    public struct Material: Sendable, Hashable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var effect: Reference?
        /// What the material sets for the effect's parameters.
        public var settings: [String: Parameter]
        public var extras: [Extra]
    }

    public struct Image: Sendable, Hashable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var content: ImageContent

        /// Its place, for a finding about its file.
        public func place(in entry: String) -> Place {
            var place = Place(position)
            place.entry = entry
            place.elementID = id
            return place
        }
    }
}
