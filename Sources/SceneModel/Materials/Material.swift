/// How a surface looks: an effect's common profile, with the values that a material gives its parameters.
public struct Material: Sendable, Equatable {
    public var id: String?
    public var name: String?
    public var effectID: String?
    public var shading: Shading?
    /// What the effect says of each property; what is missing was not given, or could not be read and was told.
    public var properties: SmallDictionary<Property, Value>
    /// What `transparent` and `transparency` mean together, by the letter. See ``likelyOpacity``.
    public var opacity: Opacity
    /// How ``opacity`` follows from the two.
    public var opacityMode: Opacity.Mode
    /// Properties that the effect gives, but whose values could not be read.
    public var unread: Set<Property>
    /// `nil` when the document does not say.
    public var sides: Sides?
    /// What exporters say beyond the common profile; empty where only figures were read.
    public var details: [Detail: Value]
    /// What else exporters say, not understood; empty where only figures were read.
    public var extras: [Extra]

    public init(
        id: String?, name: String?, effectID: String?, shading: Shading?,
        properties: SmallDictionary<Property, Value> = [:],
        opacity: Opacity = .opaque, opacityMode: Opacity.Mode = .aOne, unread: Set<Property> = [], sides: Sides? = nil,
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

    public enum Sides: Sendable, Equatable {
        case single, double
    }

    /// A value under an `<extra>` that is kept as it was written.
    public struct Extra: Sendable, Equatable {
        public var profile: String?
        /// The names of the elements on the way to it, joined by `/`.
        public var path: String
        public var text: String

        public init(profile: String?, path: String, text: String) {
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

// MARK: - Questions

extension Material {
    public subscript(_ property: Property) -> Value? { properties[property] }

    /// Its opacity, but opaque where by the letter nothing could be seen at all: Google Earth, SketchUp and others wrote
    /// `transparency` the other way round, 0 for a surface that covers everything.
    public var likelyOpacity: Opacity { opacity == .constant(0) ? .opaque : opacity }

    /// Its textures: those of its properties, then those of its details, each in the order of the names' lists.
    public var textures: [Texture] {
        var isTextured = false  // a fact about the values
        properties.forEachValue { if $0.isTexture { isTextured = true } }
        guard isTextured || details.values.contains(where: \.isTexture) else { return [] }
        return Property.allCases.compactMap { properties[$0]?.texture }
            + Detail.allCases.compactMap { details[$0]?.texture }
    }

    /// The images it samples, each once, in the order of ``textures``.
    public var images: [SceneIndex<Image>] {
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
