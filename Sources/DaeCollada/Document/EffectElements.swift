package import DaeDiagnostics
package import DaeScene
package import DaeXML

extension ColladaDocument {
    package struct Effect: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        /// Of the common profile; `nil` without one.
        package var common: Technique?
        /// The others, such as `profile_GLSL`, in the file's order.
        package var profiles: [Profile]
        /// By sid, those of effect, common profile and technique together; the innermost counts.
        package var parameters: SmallDictionary<String, Parameter>
        package var extras: [Extra]
    }

    /// What the common profile says of a surface.
    package struct Technique: Sendable {
        /// The properties of the four shading models.
        package typealias Slot = DaeScene.Material.Property

        package var position: XMLPosition
        /// `nil` when it has none of the four models.
        package var shading: Shading?
        package var slots: SmallDictionary<Slot, Value>
        /// Properties whose elements have no value that can be read.
        package var unread: Set<Slot> = []
        /// Where the values stand, in the order of ``Slot``'s cases; only of those that are there.
        var places: [XMLPosition] = []
        /// The sids of the values that stand in the properties themselves.
        package var sids: SmallDictionary<String, Slot>
        /// The `opaque` attribute as written; `nil` for none.
        package var opaque: String?
        package var extras: [Extra]

        package enum Value: Sendable {
            /// Red, green, blue, alpha; 1 where a fourth is missing.
            case color(SIMD4<Double>)
            case number(Double)
            indirect case texture(Texture)
            /// By the sid of a parameter.
            case parameter(String)
        }

        package struct Texture: Sendable {
            /// The sid of a sampler, or the id of an image where an exporter wrote that.
            package var sampler: String
            /// The name that `<bind_vertex_input>` binds to texture coordinates.
            package var texcoord: String
            package var extras: [Extra]
        }
    }

    package struct Material: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var effect: Reference?
        /// What the material sets for the effect's parameters, by their sids.
        package var settings: SmallDictionary<String, Parameter>
        package var extras: [Extra]
    }
}

extension ColladaDocument.Technique {
    /// Where the value of a property begins; `nil` for one that is not there.
    package func position(of slot: Slot) -> XMLPosition? {
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
    package func slot(forSIDPath path: [String]) -> ColladaDocument.Technique.Slot? {
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
    package struct Profile: Sendable {
        package enum Kind: String, Sendable, Equatable, CaseIterable {
            case glsl = "profile_GLSL"
            case cg = "profile_CG"
            case gles = "profile_GLES"
            case gles2 = "profile_GLES2"
            case bridge = "profile_BRIDGE"
        }
        package var kind: Kind
        package var id: String?
        package var platform: String?
        /// Of a bridge: the file that it stands for.
        package var url: String?
        package var position: XMLPosition
        package var parameters: [NewParameter] = []
        package var code: [Code] = []
        package var techniques: [Technique] = []
        /// The ids of the images that stand in it; they are in ``ColladaDocument/images`` too.
        package var images: [String] = []
        /// All of it as it stands; `nil` where it was not kept.
        package var element: RawElement?

        package struct NewParameter: Sendable {
            package var sid: String?
            /// The name of the element that is its value, such as `float4x4`; `nil` without one.
            package var kind: String?
            package var semantic: String?
        }

        package enum Code: Sendable, Equatable {
            case inline(sid: String?, text: String)
            case include(sid: String?, url: String)
        }

        package struct Technique: Sendable {
            package var id: String?
            package var sid: String?
            package var parameters: [NewParameter]
            package var code: [Code]
            package var passes: [Pass]
        }

        package struct Pass: Sendable {
            package var sid: String?
            /// The stages of its shaders as written, such as `VERTEX` or `FRAGMENTPROGRAM`; `nil` where one has none.
            package var stages: [String?]
        }
    }
}

extension ColladaDocument {
    /// The value of a `<newparam>` or `<setparam>`.
    package enum Parameter: Sendable, Equatable {
        case surface(Surface)
        indirect case sampler(Sampler)
        /// One to four numbers.
        case numbers([Double])
        /// The value of another one, by its sid.
        case alias(String)
        /// A kind that no property of the common profile has, by its element's name; `nil` when that is not known.
        case other(kind: String?)

        /// What 1.4 puts between sampler and image.
        package struct Surface: Sendable, Equatable {
            /// `2D`, `CUBE`, …
            package var type: String?
            /// The images' ids in the file's order.
            package var images: [String]
        }

        package struct Sampler: Sendable, Equatable {
            /// By the sid of a surface, as 1.4 has it.
            package var surface: String?
            /// By the image's address, as 1.5 has it.
            package var image: Reference?
            package var state: DaeScene.Material.Texture.Sampler
            package var extras: [Extra]
        }
    }
}

extension ColladaDocument {
    package struct Image: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        /// Of the first picture that names anything.
        package var content: ImageContent
        package var shape: ImageShape
        /// Every picture of an image of 1.5 that is made of several, or of one that is not simply all of it.
        package var parts: [ImagePart]

        /// Its place, for a finding about its file.
        package func place(in entry: String) -> Place {
            var place = Place(position)
            place.entry = entry
            place.elementID = id
            return place
        }
    }
}
