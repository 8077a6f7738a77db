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
