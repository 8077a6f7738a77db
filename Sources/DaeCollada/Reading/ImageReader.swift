import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads images: a path or the file itself; since 1.5 also pictures by side, level, array element and layer.
enum ImageReader {
    static func image(_ view: ElementView, _ context: inout ReadingContext) -> ColladaDocument.Image {
        let format = view.attribute(.format)
        var image = ColladaDocument.Image(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            content: imageContent(of: view, format: format, &context), shape: .flat, parts: [])
        for child in view.children {
            let shape: ImageShape
            switch child.name {
            case .create2d: shape = .flat
            case .create3d: shape = .volume
            case .createCube: shape = .cube
            default: continue  // element names: every other one has no pictures
            }
            image.shape = shape
            image.parts += child.all(.initFrom).map { part($0, of: shape, &context) }
        }
        if case .none = image.content {
            image.content = image.parts.lazy.map(\.content).first { $0 != .none } ?? .none
        }
        if image.parts.count == 1, image.parts == [ImagePart(content: image.content)] { image.parts = [] }
        if case .none = image.content {
            context.log.add(.imageEmptyURI, at: view.place, "<image> names no file")
        }
        return image
    }

    private static func part(_ view: ElementView, of shape: ImageShape, _ context: inout ReadingContext) -> ImagePart {
        let face = shape == .cube ? view.attribute(.face) : nil
        let known = face.flatMap { ImagePart.Face(rawValue: $0) }
        if let face, known == nil {
            context.log.add(
                .schemaInvalidEnum, at: view.place,
                "the face is \(face.quoted(40)); expected one of "
                    + ImagePart.Face.allCases.map(\.rawValue).joined(separator: ", "))
        }
        func index(_ name: AttributeName) -> Int { max(0, context.integer(view, name) ?? 0) }
        return ImagePart(
            face: known, mip: index(.mipIndex), arrayIndex: index(.arrayIndex), depth: index(.depth),
            content: initialContent(of: view, format: nil))
    }

    private static func imageContent(of view: ElementView, format: String?, _ context: inout ReadingContext)
        -> ImageContent
    {
        if let data = view.first(.data) { return embedded(data, format: format) }
        guard let initial = view.first(.initFrom) else {
            // 1.3 has the file in an attribute.
            return (context.repairs || context.isVersion13 ? view.attribute(.source) : nil).map { .reference($0) }
                ?? .none
        }
        return initialContent(of: initial, format: format)
    }

    /// 1.5 puts what 1.4 has as its text into an element of its own.
    private static func initialContent(of view: ElementView, format: String?) -> ImageContent {
        if let hex = view.first(.hex) { return embedded(hex, format: hex.attribute(.format) ?? format) }
        let text = view.first(.ref)?.text ?? view.text
        return text.isEmpty ? .none : .reference(text)
    }

    private static func embedded(_ view: ElementView, format: String?) -> ImageContent {
        let data = view.takeHex()
        return .embedded(.init(format: format, content: data.isWhole ? .bytes(data.bytes) : .counted(data.count)))
    }
}
