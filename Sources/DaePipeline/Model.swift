public import DaeDiagnostics
public import DaeExport
public import DaeMesh
import DaeRender
public import DaeScene

extension Dae {
    /// What reading a source gives: the scene, what is known about it, and the bytes of its images.
    ///
    /// A value that may be handed to any thread; the bundle stays open as long as there is a copy of it.
    public struct Model: Sendable {
        /// Counts, images and how each was found, findings: what `dae inspect` prints.
        public package(set) var inspection: Inspection
        /// The scene with all its numbers, in the units and axes of the document.
        public let scene: Scene
        /// Where the files of its images are; `nil` where the bundle was not kept open for them.
        private let files: ImageFiles?

        package init(inspection: Inspection, scene: Scene) {
            self.init(inspection: inspection, scene: scene, files: nil)
        }

        init(inspection: Inspection, scene: Scene, files: ImageFiles?) {
            self.inspection = inspection
            self.scene = scene
            self.files = files
        }

        /// Everything that is wrong with the source, and what was repaired.
        public var findings: FindingLog { inspection.findings }

        /// The few figures that the state carries.
        public var summary: AssetSummary {
            AssetSummary(
                document: inspection.bundle.scenePath, nodes: inspection.scene.nodes,
                triangles: inspection.scene.triangles,
                bounds: inspection.scene.bounds.flatMap { AssetSummary.Bounds(min: $0.min, max: $0.max) },
                sha256: inspection.source.sha256,
                findings: AssetSummary.Findings(
                    errors: inspection.findings.total(.error), warnings: inspection.findings.total(.warning),
                    infos: inspection.findings.total(.info), hints: inspection.findings.total(.hint)))
        }
    }

    /// An image in a form that every engine reads.
    public struct Picture: Sendable, Hashable {
        /// A whole PNG or JPEG file.
        public let bytes: [UInt8]
        /// `image/png` or `image/jpeg`.
        public let mediaType: String
        /// The format that it was converted from, such as `tga`; `nil` for a file as it was found.
        public let convertedFrom: String?
    }
}

package typealias Model = Dae.Model
package typealias Picture = Dae.Picture

// MARK: - Images

extension Model {
    /// The file of an image as it lies in the bundle, whatever its format; `nil` for one that was not found.
    ///
    /// - Complexity: Reads the file, each time.
    public func bytes(of image: Dae.SceneIndex<Dae.Image>) -> [UInt8]? {
        guard scene.images.indices.contains(image.value) else { return nil }
        return images(budget(.init())).original(image)
    }

    /// An image as PNG or JPEG: as it is, or converted from TGA, BMP, DDS, TIFF, WebP, GIF, PSD, HDR or KTX.
    ///
    /// - Returns: `nil` for one that was not found, cannot be read, or has more pixels than the budgets allow.
    public func picture(of image: Dae.SceneIndex<Dae.Image>) -> Dae.Picture? {
        guard scene.images.indices.contains(image.value) else { return nil }
        return switch images(budget(.init())).content(image) {
        case .png(let bytes): Picture(bytes: bytes, mediaType: "image/png", convertedFrom: nil)
        case .jpeg(let bytes): Picture(bytes: bytes, mediaType: "image/jpeg", convertedFrom: nil)
        case .recoded(let bytes, let format), .converted(let bytes, let format):
            Picture(bytes: bytes, mediaType: "image/png", convertedFrom: format)
        case .reencoded(let bytes, let type):
            Picture(bytes: bytes, mediaType: type.rawValue, convertedFrom: nil)
        case .same, .unavailable: nil
        }
    }
}

// MARK: - Drawing and writing

extension Model {
    /// The scene as a renderer takes it. Works on the calling thread until it is done.
    ///
    /// - Parameter isCancelled: Asked at each node.
    /// - Throws: ``SceneExportError`` for a scene that unfolds to more than is allowed, and when it was stopped.
    public func drawing(
        _ options: Dae.Drawing.Options = .init(), isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> Dae.Drawing {
        let budget = budget(.init())
        return try Drawing(scene, images: images(budget), options: options, budget, isCancelled: isCancelled)
    }

    /// Writes the model with its images to a file. Works on the calling thread until it is done.
    ///
    /// The file appears when it is whole; one there before is replaced, and stays as it was on any error.
    /// - Parameters:
    ///   - path: Of the file to be. Its folder must exist.
    ///   - isCancelled: Asked at each node; once it says so nothing is left behind.
    /// - Returns: What was written, and what was changed on the way.
    /// - Throws: ``SceneExportError``.
    @discardableResult
    public func write(
        to path: String, as format: ExportFormat, options: ExportOptions = ExportOptions(),
        isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> FidelityReport {
        try write(to: path, as: format, options: options, limits: .init(), isCancelled: isCancelled)
    }

    /// The model with its images as the bytes of one file, such as a `.glb`.
    ///
    /// - Returns: The bytes, and what was changed on the way.
    /// - Throws: ``SceneExportError``, also for a format of more than one file.
    public func bytes(
        as format: ExportFormat, options: ExportOptions = ExportOptions(), isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> (bytes: [UInt8], report: FidelityReport) {
        var bytes: [UInt8] = []
        let report = try write(as: format, options: options, isCancelled: isCancelled) { piece in
            bytes.append(contentsOf: piece)
        }
        return (bytes, report)
    }

    /// Hands the model with its images to whoever takes the bytes of one file, from its first to its last, piece by piece.
    ///
    /// - Parameter sink: Called on this thread. What it throws ends the writing, with `IO_ERROR`; what it took until then is
    ///   no whole file.
    @discardableResult
    public func write(
        as format: ExportFormat, options: ExportOptions = ExportOptions(), isCancelled: () -> Bool = { false },
        into sink: ([UInt8]) throws -> Void
    ) throws(SceneExportError) -> FidelityReport {
        try withoutActuallyEscaping(sink) { sink throws(SceneExportError) in
            try write(
                to: .sink { piece in try sink(piece) },
                as: format, options: options, limits: .init(), isCancelled: isCancelled)
        }
    }

    package func write(
        to path: String, as format: ExportFormat, options: ExportOptions = ExportOptions(),
        limits: ConversionBudget.Limits, isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> FidelityReport {
        try write(to: .file(path), as: format, options: options, limits: limits, isCancelled: isCancelled)
    }

    package func write(
        to target: ExportTarget, as format: ExportFormat, options: ExportOptions, limits: ConversionBudget.Limits,
        isCancelled: () -> Bool
    ) throws(SceneExportError) -> FidelityReport {
        let budget = budget(limits)
        let textures = try TextureForm(options)
        return try format.write(
            scene, to: target, images: images(budget, textures), options: options, budget: budget,
            isCancelled: isCancelled)
    }

    /// The same without its scene and its files, which are large.
    package var withoutScene: Model { Model(inspection: inspection, scene: Scene()) }

    /// What a conversion of it may use.
    package func budget(_ limits: ConversionBudget.Limits) -> ConversionBudget {
        ConversionBudget(limits, read: inspection.source.bytes ?? inspection.document.bytes)
    }

    /// The pixels of its images, for a picture with a budget.
    func pixels(_ budget: ConversionBudget) -> Renderer.Images {
        files?.pixels(of: scene, budget) ?? { _ in .failure(CodedFailure(.imageNotFound, "no images were given")) }
    }

    /// The files of its images, for a conversion with a budget.
    package func images(_ budget: ConversionBudget) -> ExportImages { images(budget, .kept) }

    private func images(_ budget: ConversionBudget, _ textures: TextureForm) -> ExportImages {
        files?.images(of: scene, inspection.images, budget, textures) ?? .none
    }
}
