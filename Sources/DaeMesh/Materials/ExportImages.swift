public import DaeScene

/// Where the bytes of a scene's images come from: the exporter opens no file and decodes no image.
public struct ExportImages: Sendable {
    /// What an image's file holds.
    public enum Content: Sendable {
        case png([UInt8])
        case jpeg([UInt8])
        /// PNG that holds the very pixels of a file of another format, whose name is given.
        case recoded([UInt8], from: String)
        /// PNG that was made of another format, whose name is given.
        case converted([UInt8], from: String)
        /// What another image has, which was asked for before.
        case same(SceneIndex<Image>)
        /// There is nothing to write, for this reason.
        case unavailable(reason: String)
    }

    /// What comes of putting two pictures together.
    public enum Merged: Sendable {
        case png([UInt8])
        /// The pixels of that image cannot be had, or not all of them.
        case unavailable(SceneIndex<Image>)
        /// It would be larger than images may be, or work was stopped.
        case none
    }

    /// The file of one image of the scene; asked once for each that a material needs.
    public var content: @Sendable (SceneIndex<Image>) -> Content
    /// Whether an image has colours; `true` where that is not known.
    public var isColored: @Sendable (SceneIndex<Image>) -> Bool
    /// Whether an image has an alpha; `true` where that is not known.
    public var hasAlpha: @Sendable (SceneIndex<Image>) -> Bool
    /// What the file of an image is called, the same for all images of one file; `nil` where that is not known.
    public var file: @Sendable (SceneIndex<Image>) -> String?
    /// A PNG with the colours of one image, or white, whose alpha is the opacity that a map gives; asks its last argument
    /// now and then, and ends soon once that is true.
    public var merged:
        @Sendable (_ colors: SceneIndex<Image>?, _ opacity: Opacity.Map, _ isCancelled: () -> Bool) -> Merged

    public init(
        content: @escaping @Sendable (SceneIndex<Image>) -> Content,
        isColored: @escaping @Sendable (SceneIndex<Image>) -> Bool = { _ in true },
        hasAlpha: @escaping @Sendable (SceneIndex<Image>) -> Bool = { _ in true },
        file: @escaping @Sendable (SceneIndex<Image>) -> String? = { _ in nil },
        merged: @escaping @Sendable (SceneIndex<Image>?, Opacity.Map, () -> Bool) -> Merged = { _, opacity, _ in
            .unavailable(opacity.texture.image)
        }
    ) {
        self.content = content
        self.isColored = isColored
        self.hasAlpha = hasAlpha
        self.file = file
        self.merged = merged
    }

    /// None at all.
    public static let none = ExportImages(content: { _ in .unavailable(reason: "no images were given") })
}

/// Which of a scene's images are one file, whatever they are called.
package struct ImageFiles {
    /// Of each image, the first one of its file.
    private let first: [Int]

    package init(_ scene: Scene, _ source: ExportImages) {
        var known: [String: Int] = [:]
        first = scene.images.indices.map { index in
            let image = scene.images[index]
            let written: String? =
                switch image.content {
                case .reference(let reference): "\(image.base ?? "")\n\(reference)"
                case .embedded, .none: nil
                }
            guard let file = source.file(SceneIndex(index)) ?? written else { return index }
            if let first = known[file] { return first }
            known[file] = index
            return index
        }
    }

    /// The first image of the same file.
    package func first(of image: SceneIndex<Image>) -> SceneIndex<Image> { SceneIndex(first[image.value]) }

    func areSame(_ one: SceneIndex<Image>, _ other: SceneIndex<Image>) -> Bool {
        first[one.value] == first[other.value]
    }
}
