import DaeDiagnostics
import DaeImages
import DaeMesh

/// What the textures of a conversion are to be.
struct TextureForm: Sendable {
    /// Pixels of a side at most.
    private let size: Int?
    private let encoding: ExportOptions.TextureEncoding

    /// As they are.
    static let kept = TextureForm()

    private init() { (size, encoding) = (nil, .kept) }

    /// - Throws: Where what writes such files is not installed.
    init(_ options: ExportOptions) throws(SceneExportError) {
        (size, encoding) = (options.textureSize, options.textureEncoding)
        let kind: ImageEncoder.Kind
        switch encoding {
        case .kept: return
        case .webp: kind = .webp
        case .jpeg: kind = .jpeg
        }
        do throws(CodedFailure) { try ImageEncoder.load(kind) } catch {
            throw SceneExportError(.convertLibraryMissing, error.message)
        }
    }

    /// Whether a file of that kind and size may have to be another.
    func changes(_ header: ImageHeader) -> Bool {
        shrinks(header) || reencodes(header)
    }

    /// Whether an image of that size has too many pixels.
    func shrinks(_ header: ImageHeader) -> Bool { size.map { max(header.width, header.height) > $0 } ?? false }

    private func reencodes(_ header: ImageHeader) -> Bool {
        switch encoding {
        case .kept: false
        case .webp: header.format != .webp
        case .jpeg: header.format != .jpeg
        }
    }

    /// The image in this form.
    ///
    /// - Parameter format: Of the file that it was read from; `nil` for one that was put together.
    func file(of image: DecodedImage, from format: ImageFormat?) throws(CodedFailure) -> ([UInt8], ImageType) {
        var small = size.map { image.reduced(to: $0) } ?? image
        let type: ImageType
        switch encoding {
        case .kept: type = format == .jpeg ? .jpeg : .png
        case .webp:
            small = small.withoutOpaqueAlpha
            type = .webp
        case .jpeg:
            small = small.withoutOpaqueAlpha
            type = small.hasAlpha ? .png : .jpeg
        }
        let kind: ImageEncoder.Kind =
            switch type {
            case .png: .png
            case .jpeg: .jpeg
            case .webp: .webp
            }
        return (try ImageEncoder.file(of: small, kind), type)
    }
}
