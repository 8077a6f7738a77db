public import SceneModel

/// Writes a scene as glTF 2.0: one `.glb`, or a `.gltf` with its `.bin`.
///
/// Units become metres and the up axis Y by one node above all; every number below it is the document's own. Instanced
/// meshes are written once. What the format cannot say is in the report.
///
/// - Source: Khronos glTF 2.0 specification; KHR_lights_punctual, KHR_materials_unlit, KHR_materials_emissive_strength,
///   KHR_texture_transform.
public enum GLTFExport {
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
    public static func write(
        _ scene: Scene, to path: String, images: ExportImages = .none, options: GLTFOptions = GLTFOptions(),
        budget: ConversionBudget = ConversionBudget(), isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> FidelityReport {
        // It outlives no call: the writer is gone when this one ends.
        try withoutActuallyEscaping(isCancelled) { isCancelled throws(SceneExportError) in
            var writer = try GLTFWriter(scene, path, images, options, budget, isCancelled)
            return try writer.write()
        }
    }

    /// Where the numbers of a text are written: `a/b.gltf` has `a/b.bin`.
    public static func binaryPath(of path: String) -> String {
        let ending = ".gltf"
        return (path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path) + ".bin"
    }
}
