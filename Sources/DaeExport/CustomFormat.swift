import DaeDiagnostics
public import DaeMesh
public import DaeScene

/// A format of one file that is not among those built in: `model.write(to:as: .custom(format))` places its file as it does
/// theirs, whole or not at all.
public struct CustomFormat: Sendable {
    /// What is to be written.
    public struct Contents {
        /// Meshes, looks and instances, in the units and axes that ``ExportOptions`` ask for.
        public let drawing: Dae.Drawing
        fileprivate let images: ExportImages
        fileprivate let imageCount: Int

        /// The file of an image that a surface shows, and its media type, such as `image/png`; `nil` for one that is not
        /// the scene's, was not found or cannot be read.
        ///
        /// - Complexity: Reads the file, each time.
        public func file(of image: Dae.SceneIndex<Dae.Image>) -> (bytes: [UInt8], mediaType: String)? {
            guard (0..<imageCount).contains(image.value) else { return nil }
            return switch images.content(image) {
            case .png(let bytes), .recoded(let bytes, _), .converted(let bytes, _): (bytes, ImageType.png.rawValue)
            case .jpeg(let bytes): (bytes, ImageType.jpeg.rawValue)
            case .reencoded(let bytes, let type): (bytes, type.rawValue)
            case .same(let other): other == image ? nil : file(of: other)
            case .unavailable: nil
            }
        }
    }

    /// Of its files' names, in small letters and without a point.
    public let ending: String
    /// How the scene is made ready; its `system` is that of ``ExportOptions`` where it is `nil`.
    public var drawing = Dae.Drawing.Options()
    private let body: @Sendable (Contents, (_ bytes: [UInt8]) throws -> Void) throws -> Void

    /// - Parameters:
    ///   - ending: In small letters and without a point.
    ///   - write: Hands over the bytes of the file, from its first to its last, piece by piece. What it throws ends the
    ///     writing, and nothing is left of the file.
    public init(
        ending: String,
        write: @escaping @Sendable (_ contents: Contents, _ take: (_ bytes: [UInt8]) throws -> Void) throws -> Void
    ) {
        self.ending = ending
        body = write
    }

    func write(
        _ scene: Scene, to target: ExportTarget, _ images: ExportImages, _ options: ExportOptions,
        _ budget: ConversionBudget, _ isCancelled: () -> Bool, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        var settings = drawing
        if settings.system == nil { settings.system = options.system(of: scene) }
        let drawing = try Drawing(scene, images: images, options: settings, budget, isCancelled: isCancelled)
        let file = try ExportFile(for: target)
        var size = 0
        do {
            try body(Contents(drawing: drawing, images: images, imageCount: scene.images.count)) { bytes in
                if isCancelled() { throw SceneExportError.stopped }
                try budget.write(bytes.count)
                try file.write(bytes)
                size += bytes.count
            }
        } catch let error as SceneExportError {
            throw error
        } catch {
            throw SceneExportError(.ioError, "the .\(ending) was not written: \(error)")
        }
        try file.deliver(to: target)
        report.contents.bytes = size
        report.contents.meshes = drawing.meshes.count
        report.contents.materials = drawing.surfaces.count
    }
}
