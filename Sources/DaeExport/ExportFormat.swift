import DaeDiagnostics
package import DaeMesh
package import DaeScene

/// A kind of file that scenes are written as. Each is written by a folder of its own, and by one line here.
///
/// Units become metres and the up axis Y by one node above all; every number below it is the document's own. Instanced
/// meshes are written once. What a format cannot say is in the report.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ExportFormat: String, Sendable, CaseIterable {
    /// glTF 2.0 in one file.
    case glb
    /// glTF 2.0 as a text, and beside it its numbers in a file of the same name that ends in `.bin`.
    case gltf

    private var writer: any SceneWriter {
        switch self {
        case .glb: GLTFFormat(container: .binary)
        case .gltf: GLTFFormat(container: .text)
        }
    }

    /// The format whose name a file's name ends in; `nil` where that is none.
    public init?(path: String) {
        let name = path.lowercased()
        guard let format = Self.allCases.first(where: { name.hasSuffix("." + $0.rawValue) }) else { return nil }
        self = format
    }

    /// What is written for a file at a path, that file first.
    package func files(of path: String) -> [String] { writer.files(of: path) }

    /// Whether it takes ``ExportOptions/compaction``.
    package var canBeCompact: Bool {
        switch self {
        case .glb, .gltf: true
        }
    }

    /// Writes a scene whose arrays were kept.
    ///
    /// The file appears at `path` when it is whole; a file there before is replaced, and stays as it was on any error.
    /// - Parameters:
    ///   - path: Of the file to be. Its folder must exist.
    ///   - images: The bytes of images.
    ///   - budget: What it may use; shared with `images` where those are decoded.
    ///   - isCancelled: Asked at each node; once it says so nothing is left behind.
    /// - Throws: ``SceneExportError``: stopped on request, nothing to draw, more than the format can hold or the budget allows, or what the
    ///   system says.
    package func write(
        _ scene: Dae.Scene, to path: String, images: ExportImages = .none, options: ExportOptions = ExportOptions(),
        budget: ConversionBudget = ConversionBudget(), isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> FidelityReport {
        try write(
            scene, to: .file(path), images: images, options: options, budget: budget, isCancelled: isCancelled)
    }

    /// The same, also for whoever takes the bytes.
    package func write(
        _ scene: Scene, to target: ExportTarget, images: ExportImages, options: ExportOptions,
        budget: ConversionBudget, isCancelled: () -> Bool
    ) throws(SceneExportError) -> FidelityReport {
        if case .sink = target, files(of: "model").count > 1 {
            throw SceneExportError(
                .ioError, "a .\(rawValue) is more than one file; expected a format of one file, such as .glb")
        }
        let writer = writer
        // It outlives no call: what was prepared is gone when this one ends.
        return try withoutActuallyEscaping(isCancelled) { isCancelled throws(SceneExportError) in
            var report = FidelityReport()
            let prepared = try PreparedScene(
                scene, for: writer.conventions, options: options, budget: budget, isCancelled: isCancelled, &report)
            try writer.write(prepared, to: target, images, &report)
            return report
        }
    }
}

/// Writes scenes as one format.
protocol SceneWriter {
    var conventions: ExportConventions { get }
    /// What is written for a file at a path, that file first.
    func files(of path: String) -> [String]
    func write(
        _ scene: consuming PreparedScene, to target: ExportTarget, _ images: ExportImages,
        _ report: inout FidelityReport
    ) throws(SceneExportError)
}
