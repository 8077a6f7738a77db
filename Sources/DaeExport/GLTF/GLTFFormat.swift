import DaeMesh

/// glTF 2.0: one `.glb`, or a `.gltf` with its `.bin`.
///
/// - Source: Khronos glTF 2.0 specification; KHR_lights_punctual, KHR_materials_unlit, KHR_materials_emissive_strength,
///   KHR_texture_transform.
struct GLTFFormat: SceneWriter {
    enum Container {
        /// One file, `.glb`.
        case binary
        /// A text, `.gltf`, and beside it a file of the same name that ends in `.bin`.
        case text
    }
    let container: Container

    var conventions: ExportConventions { ExportConventions(imageOrigin: .topLeft, colors: .linear, curves: .cubic) }

    func files(of path: String) -> [String] {
        switch container {
        case .binary: [path]
        case .text: [path, Self.binaryPath(of: path)]
        }
    }

    /// Where the numbers of a text are written: `a/b.gltf` has `a/b.bin`.
    static func binaryPath(of path: String) -> String {
        let ending = ".gltf"
        return (path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path) + ".bin"
    }

    func write(
        _ scene: consuming PreparedScene, to path: String, _ images: ExportImages, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        var writer = try GLTFWriter(scene, to: path, in: container, images)
        try writer.write(&report)
    }
}
