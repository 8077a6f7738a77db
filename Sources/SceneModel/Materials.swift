/// A material: the effect it instances, as far as it is resolved.
public struct Material: Sendable, Hashable {
    public var id: String?
    public var name: String?
    public var effectID: String?
    public var shading: Shading?
    /// The images its effect samples, each once.
    public var images: [SceneIndex<Image>]

    public init(id: String?, name: String?, effectID: String?, shading: Shading?, images: [SceneIndex<Image>]) {
        self.id = id
        self.name = name
        self.effectID = effectID
        self.shading = shading
        self.images = images
    }
}

/// The common profile's ways to light a surface.
public enum Shading: String, Sendable, CaseIterable {
    case constant, lambert, phong, blinn
}

/// An image as the document names it; where its file is, the locator says.
public struct Image: Sendable, Hashable {
    public var id: String?
    public var name: String?
    public var content: ImageContent
    /// The path of the document it stands in, which its own path is relative to; `nil` where that is not known.
    public var base: String?

    public init(id: String?, name: String?, content: ImageContent, base: String? = nil) {
        self.id = id
        self.name = name
        self.content = content
        self.base = base
    }
}

/// Where an image's bytes come from.
public enum ImageContent: Sendable, Hashable {
    /// A path or address, as written.
    case reference(String)
    /// Bytes within the document, still written as text.
    case embedded(format: String?)
    /// Nothing is named.
    case none
}
