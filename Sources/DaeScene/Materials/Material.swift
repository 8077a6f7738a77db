extension Dae {
    /// How a surface looks: an effect's common profile, with the values that a material gives its parameters.
    public struct Material: Sendable, Equatable {
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        package var effectID: String?
        /// Which model of light its effect has in the common profile; `nil` without one.
        public var shading: Shading?
        /// What the effect says of each property; what is missing was not given, or could not be read and was reported.
        package var properties: SmallDictionary<Property, Value>
        /// What `transparent` and `transparency` mean together, by the letter.
        public var opacity: Opacity
        /// How ``opacity`` follows from the two.
        package var opacityMode: Opacity.Mode
        /// Properties that the effect gives, but whose values could not be read.
        package var unread: Set<Property>
        /// `nil` when the document does not say.
        public var sides: Sides?
        /// What exporters say beyond the common profile; empty where only figures were read.
        public var details: [Detail: Value]
        /// What else exporters say, not understood; empty where only figures were read.
        package var extras: [Extra]

        package init(
            id: String?, name: String?, effectID: String?, shading: Shading?,
            properties: SmallDictionary<Property, Value> = [:],
            opacity: Opacity = .opaque, opacityMode: Opacity.Mode = .aOne, unread: Set<Property> = [],
            sides: Sides? = nil,
            details: [Detail: Value] = [:], extras: [Extra] = []
        ) {
            self.id = id
            self.name = name
            self.effectID = effectID
            self.shading = shading
            self.properties = properties
            self.opacity = opacity
            self.opacityMode = opacityMode
            self.unread = unread
            self.sides = sides
            self.details = details
            self.extras = extras
        }

        /// From which sides faces are seen.
        public enum Sides: Sendable, Equatable {
            case single, double
        }

        /// A value under an `<extra>` that is kept as it was written.
        package struct Extra: Sendable, Equatable {
            package var profile: String?
            /// The names of the elements on the way to it, joined by `/`.
            package var path: String
            package var text: String

            package init(profile: String?, path: String, text: String) {
                self.profile = profile
                self.path = path
                self.text = text
            }
        }
    }

    /// The common profile's ways to light a surface.
    public enum Shading: String, Sendable, CaseIterable {
        case constant, lambert, phong, blinn
    }
}

// MARK: - Questions

extension Material {
    /// A property as the effect has it; `nil` where it says nothing.
    public subscript(_ property: Property) -> Value? { properties[property] }

    /// Its opacity, but opaque where by the letter nothing could be seen at all: Google Earth, SketchUp and others wrote
    /// `transparency` the other way round, 0 for a surface that covers everything.
    package var likelyOpacity: Dae.Opacity { opacity == .constant(0) ? .opaque : opacity }

    /// Its textures: those of its properties, then those of its details, each in the order of the names' lists.
    public var textures: [Texture] {
        var isTextured = false
        properties.forEachValue { if $0.isTexture { isTextured = true } }
        guard isTextured || details.values.contains(where: \.isTexture) else { return [] }
        return Property.allCases.compactMap { properties[$0]?.texture }
            + Detail.allCases.compactMap { details[$0]?.texture }
    }

    /// The images it samples, each once, in the order of ``textures``.
    package var images: [Dae.SceneIndex<Dae.Image>] {
        var images: [SceneIndex<Image>] = []
        for texture in textures where !images.contains(texture.image) { images.append(texture.image) }
        return images
    }
}

extension [Material] {
    /// The images that they sample, in no order, and as often as they come.
    package func forEachImage(_ visit: (SceneIndex<Image>) -> Void) {
        // By index: a material taken out of the list would be copied, with all it holds.
        for index in indices {
            self[index].properties.forEachValue {
                if $0.isTexture, let texture = $0.texture { visit(texture.image) }
            }
            guard !self[index].details.isEmpty else { continue }
            for value in self[index].details.values {
                if let texture = value.texture { visit(texture.image) }
            }
        }
    }
}

extension Material {
    /// The properties of the four shading models, by the names that COLLADA gives them.
    public enum Property: String, Sendable, Equatable, CaseIterable {
        case emission, ambient, diffuse, specular, shininess, reflective, reflectivity, transparent, transparency
        case indexOfRefraction = "index_of_refraction"
    }

    /// What exporters add to the shading models under `<extra>`.
    public enum Detail: String, Sendable, Equatable, CaseIterable {
        /// Heights or directions, the document does not say which; a texture's amount says how strong.
        case bump
        /// Heights.
        case heights
        /// Directions in tangent space.
        case normal
        case displacement
        case ambientOcclusion
        /// A factor on `specular`.
        case specularLevel
        /// A factor on `emission`.
        case emissionLevel
        /// What the lit colour is multiplied by.
        case multiply
        case fresnelExponent
    }

    /// What a property may be.
    public enum Value: Sendable, Equatable {
        /// Red, green, blue, alpha as written, usually 0...1; alpha is 1 where the file gives three numbers.
        case color(SIMD4<Double>)
        case number(Double)
        indirect case texture(Texture)

        /// Red, green, blue and alpha as a display shows them; `nil` for what is no colour.
        public var color: SIMD4<Double>? {
            switch self {
            case .color(let color): color
            case .number, .texture: nil
            }
        }

        /// `nil` for what is no number.
        public var number: Double? {
            switch self {
            case .number(let number): number
            case .color, .texture: nil
            }
        }

        /// Whether ``texture`` is one, without taking it out.
        package var isTexture: Bool {
            switch self {
            case .texture: true
            case .color, .number: false
            }
        }

        /// `nil` for what is no texture.
        public var texture: Texture? {
            switch self {
            case .texture(let texture): texture
            case .color, .number: nil
            }
        }
    }
}

// By place: a raw value's own hash is that of its text.
extension Material.Property: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    private var place: UInt8 {
        switch self {
        case .emission: 0
        case .ambient: 1
        case .diffuse: 2
        case .specular: 3
        case .shininess: 4
        case .reflective: 5
        case .reflectivity: 6
        case .transparent: 7
        case .transparency: 8
        case .indexOfRefraction: 9
        }
    }
}

extension Material.Detail: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    private var place: UInt8 {
        switch self {
        case .bump: 0
        case .normal: 1
        case .displacement: 2
        case .ambientOcclusion: 3
        case .specularLevel: 4
        case .emissionLevel: 5
        case .multiply: 6
        case .fresnelExponent: 7
        case .heights: 8
        }
    }
}

extension Dae {
    /// Which material the faces of one symbol get.
    public struct MaterialBinding: Sendable, Hashable {
        /// The name by which primitives ask for a material.
        public let symbol: String
        /// `nil` when the material does not exist.
        public let material: SceneIndex<Material>?
        /// What its textures' coordinates are in the mesh.
        package let vertexInputs: [VertexInput]
        /// What else of the scene its effect's parameters read.
        package let parameters: [Parameter]

        package init(
            symbol: String, material: SceneIndex<Material>?, vertexInputs: [VertexInput] = [],
            parameters: [Parameter] = []
        ) {
            self.symbol = symbol
            self.material = material
            self.vertexInputs = vertexInputs
            self.parameters = parameters
        }

        /// A `<bind_vertex_input>`.
        package struct VertexInput: Sendable, Hashable {
            /// The name in the effect: a texture's `texcoord`.
            package var semantic: String
            /// The input of the mesh, usually `TEXCOORD`.
            package var inputSemantic: String
            package var inputSet: Int?

            package init(semantic: String, inputSemantic: String, inputSet: Int?) {
                self.semantic = semantic
                self.inputSemantic = inputSemantic
                self.inputSet = inputSet
            }
        }

        /// A `<bind>`: a semantic of the effect and the address of what gives its value, as written.
        package struct Parameter: Sendable, Hashable {
            package var semantic: String
            package var target: String

            package init(semantic: String, target: String) {
                self.semantic = semantic
                self.target = target
            }
        }
    }

    /// How much of a surface covers what is behind it: 1 all, 0 none.
    public enum Opacity: Sendable, Equatable {
        case opaque
        /// The same everywhere; at least 0, below 1.
        case constant(Double)
        indirect case texture(Map)

        /// An opacity that a picture gives.
        public struct Map: Sendable, Equatable {
            /// What of a picture's colour counts.
            public enum Channel: Sendable, Equatable {
                case alpha, luminance
            }
            /// Which way the channel counts.
            public enum Sense: Sendable, Equatable {
                /// Opacity is channel × factor.
                case direct
                /// Opacity is 1 − channel × factor.
                case inverted
            }
            /// The picture.
            public var texture: Material.Texture
            /// What of its colour counts.
            public var channel: Channel
            /// Whether bright is opaque or clear.
            public var sense: Sense
            /// Above 0.
            public var factor: Double

            package init(texture: Material.Texture, channel: Channel, sense: Sense, factor: Double) {
                self.texture = texture
                self.channel = channel
                self.sense = sense
                self.factor = factor
            }

            /// The opacity where the texture has this red, green, blue and alpha, 0...1.
            package func opacity(at texel: SIMD4<Double>) -> Double {
                let value =
                    switch channel {
                    case .alpha: texel.w
                    case .luminance: Opacity.luminance(of: texel)
                    }
                return sense.opacity(value * factor)
            }
        }

        /// The `opaque` attribute of `<transparent>`. The last two are 1.5's.
        package enum Mode: String, Sendable, Equatable, CaseIterable {
            case aOne = "A_ONE"
            case rgbZero = "RGB_ZERO"
            case aZero = "A_ZERO"
            case rgbOne = "RGB_ONE"

            var channel: Map.Channel {
                switch self {
                case .aOne, .aZero: .alpha
                case .rgbZero, .rgbOne: .luminance
                }
            }

            var sense: Map.Sense {
                switch self {
                case .aOne, .rgbOne: .direct
                case .aZero, .rgbZero: .inverted
                }
            }
        }

        /// By the table of the specification.
        ///
        /// - Parameters:
        ///   - transparent: `nil` where the effect has none: then the colour is 1 1 1 1, read as ``Mode/aOne``.
        ///   - transparency: `nil` for 1. Without this and `transparent` a surface is opaque.
        /// - Source: COLLADA 1.5.0, chapter 7, "Determining transparency (opacity)".
        package init(transparent: Material.Value?, transparency: Double?, mode: Mode) {
            let factor = transparency ?? 1
            switch transparent {
            case nil: self.init(value: transparency == nil ? 1 : factor)
            case .color(let color):
                let value =
                    switch mode.channel {
                    case .alpha: color.w
                    case .luminance: Opacity.luminance(of: color)
                    }
                self.init(value: mode.sense.opacity(value * factor))
            case .number(let number): self.init(value: mode.sense.opacity(number * factor))
            case .texture(let texture):
                self =
                    factor > 0
                    ? .texture(Map(texture: texture, channel: mode.channel, sense: mode.sense, factor: factor))
                    : Opacity(value: mode.sense.opacity(0))
            }
        }

        private init(value: Double) {
            self = value < 1 ? .constant(max(0, value)) : .opaque
        }

        static func luminance(of color: SIMD4<Double>) -> Double {
            0.212671 * color.x + 0.715160 * color.y + 0.072169 * color.z
        }
    }
}

extension Opacity.Map.Sense {
    /// Of a value that already has its factor; 0...1.
    fileprivate func opacity(_ value: Double) -> Double {
        switch self {
        case .direct: min(1, max(0, value))
        case .inverted: min(1, max(0, 1 - value))
        }
    }
}
