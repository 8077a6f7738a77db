public import Diagnostics
public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Effect: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Of the common profile; `nil` without one.
        public var common: Technique?
        /// The others, such as `profile_GLSL`, in the file's order.
        public var profiles: [Profile]
        /// By sid, those of effect, common profile and technique together; the innermost counts.
        public var parameters: SmallDictionary<String, Parameter>
        public var extras: [Extra]
    }

    /// What the common profile says of a surface.
    public struct Technique: Sendable {
        /// The properties of the four shading models.
        public typealias Slot = SceneModel.Material.Property

        public var position: XMLPosition
        /// `nil` when it has none of the four models.
        public var shading: Shading?
        public var slots: SmallDictionary<Slot, Value>
        /// Properties whose elements have no value that can be read.
        public var unread: Set<Slot> = []
        /// Where the values stand, in the order of ``Slot``'s cases; only of those that are there.
        var places: [XMLPosition] = []
        /// The sids of the values that stand in the properties themselves.
        public var sids: SmallDictionary<String, Slot>
        /// The `opaque` attribute as written; `nil` for none.
        public var opaque: String?
        public var extras: [Extra]

        public enum Value: Sendable {
            /// Red, green, blue, alpha; 1 where a fourth is missing.
            case color(SIMD4<Double>)
            case number(Double)
            indirect case texture(Texture)
            /// By the sid of a parameter.
            case parameter(String)
        }

        public struct Texture: Sendable {
            /// The sid of a sampler, or the id of an image where an exporter wrote that.
            public var sampler: String
            /// The name that `<bind_vertex_input>` binds to texture coordinates.
            public var texcoord: String
            public var extras: [Extra]
        }
    }

    public struct Material: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var effect: Reference?
        /// What the material sets for the effect's parameters, by their sids.
        public var settings: SmallDictionary<String, Parameter>
        public var extras: [Extra]
    }
}

extension ColladaDocument.Technique {
    /// Where the value of a property begins; `nil` for one that is not there.
    public func position(of slot: Slot) -> XMLPosition? {
        guard slots[slot] != nil, places.count == slots.count else { return nil }
        let before = Slot.allCases.prefix { $0 != slot }.count { slots[$0] != nil }
        return places[before]
    }
}

extension ColladaDocument.Effect {
    /// The property that a path of sids below the effect means: a channel's target without its id and member.
    ///
    /// The last step decides, whether it is the sid of a value or of a parameter that a property reads, or the
    /// property's own name; `diffuse/color` means the same as `diffuse`. What stands before it, such as the sid of the
    /// technique, is not compared.
    public func slot(forSIDPath path: [String]) -> ColladaDocument.Technique.Slot? {
        guard let common, let last = path.last else { return nil }
        if let slot = common.sids[last] { return slot }
        let reader = ColladaDocument.Technique.Slot.allCases.first { slot in
            guard case .parameter(last) = common.slots[slot] else { return false }
            return true
        }
        if let slot = reader ?? ColladaDocument.Technique.Slot(rawValue: last) { return slot }
        guard ["color", "float", "param", "texture"].contains(last), let before = path.dropLast().last else {
            return nil
        }
        return common.sids[before] ?? ColladaDocument.Technique.Slot(rawValue: before)
    }
}

extension ColladaDocument {
    /// A profile other than the common one: its structure, for whoever runs its shaders.
    ///
    /// Where only figures are read it has its kind, id and place.
    public struct Profile: Sendable {
        public enum Kind: String, Sendable, Equatable, CaseIterable {
            case glsl = "profile_GLSL"
            case cg = "profile_CG"
            case gles = "profile_GLES"
            case gles2 = "profile_GLES2"
            case bridge = "profile_BRIDGE"
        }
        public var kind: Kind
        public var id: String?
        public var platform: String?
        /// Of a bridge: the file that it stands for.
        public var url: String?
        public var position: XMLPosition
        public var parameters: [NewParameter] = []
        public var code: [Code] = []
        public var techniques: [Technique] = []
        /// The ids of the images that stand in it; they are in ``ColladaDocument/images`` too.
        public var images: [String] = []
        /// All of it as it stands; `nil` where it was not kept.
        public var element: RawElement?

        public struct NewParameter: Sendable {
            public var sid: String?
            /// The name of the element that is its value, such as `float4x4`; `nil` without one.
            public var kind: String?
            public var semantic: String?
        }

        public enum Code: Sendable, Equatable {
            case inline(sid: String?, text: String)
            case include(sid: String?, url: String)
        }

        public struct Technique: Sendable {
            public var id: String?
            public var sid: String?
            public var parameters: [NewParameter]
            public var code: [Code]
            public var passes: [Pass]
        }

        public struct Pass: Sendable {
            public var sid: String?
            /// The stages of its shaders as written, such as `VERTEX` or `FRAGMENTPROGRAM`; `nil` where one has none.
            public var stages: [String?]
        }
    }
}

extension ColladaDocument {
    /// The value of a `<newparam>` or `<setparam>`.
    public enum Parameter: Sendable, Equatable {
        case surface(Surface)
        indirect case sampler(Sampler)
        /// One to four numbers.
        case numbers([Double])
        /// The value of another one, by its sid.
        case alias(String)
        /// A kind that no property of the common profile has, by its element's name; `nil` when that is not known.
        case other(kind: String?)

        /// What 1.4 puts between sampler and image.
        public struct Surface: Sendable, Equatable {
            /// `2D`, `CUBE`, …
            public var type: String?
            /// The images' ids in the file's order.
            public var images: [String]
        }

        public struct Sampler: Sendable, Equatable {
            /// By the sid of a surface, as 1.4 has it.
            public var surface: String?
            /// By the image's address, as 1.5 has it.
            public var image: Reference?
            public var state: SceneModel.Material.Texture.Sampler
            public var extras: [Extra]
        }
    }
}

extension ColladaDocument {
    public struct Image: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Of the first picture that names anything.
        public var content: ImageContent
        public var shape: ImageShape
        /// Every picture of an image of 1.5 that is made of several, or of one that is not simply all of it.
        public var parts: [ImagePart]

        /// Its place, for a finding about its file.
        public func place(in entry: String) -> Place {
            var place = Place(position)
            place.entry = entry
            place.elementID = id
            return place
        }
    }
}
