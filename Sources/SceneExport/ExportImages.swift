public import SceneModel

/// Where the bytes of a scene's images come from: the exporter opens no file and decodes no image.
public struct ExportImages: Sendable {
    /// What an image's file holds.
    public enum Content: Sendable {
        case png([UInt8])
        case jpeg([UInt8])
        /// PNG that was made of another format, whose name is given.
        case converted([UInt8], from: String)
        /// What another image has, which was asked for before.
        case same(SceneIndex<Image>)
        /// There is nothing to write, for this reason.
        case unavailable(reason: String)
    }

    /// The file of one image of the scene; asked once for each that a material needs.
    public var content: @Sendable (SceneIndex<Image>) -> Content
    /// Whether an image has colours; `true` where that is not known.
    public var isColored: @Sendable (SceneIndex<Image>) -> Bool
    /// Whether an image has an alpha; `true` where that is not known.
    public var hasAlpha: @Sendable (SceneIndex<Image>) -> Bool

    public init(
        content: @escaping @Sendable (SceneIndex<Image>) -> Content,
        isColored: @escaping @Sendable (SceneIndex<Image>) -> Bool = { _ in true },
        hasAlpha: @escaping @Sendable (SceneIndex<Image>) -> Bool = { _ in true }
    ) {
        self.hasAlpha = hasAlpha
        self.content = content
        self.isColored = isColored
    }

    /// None at all.
    public static let none = ExportImages(content: { _ in .unavailable(reason: "no images were given") })
}
