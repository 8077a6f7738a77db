package import DaeCore
import DaeDiagnostics
package import DaeMesh
package import DaeScene

/// A kind of file that scenes are written as. Each is written by a folder of its own, and by one line here.
///
/// Units become metres and the up axis Y. Where a format has nodes, one above all does that: every number below it is the
/// document's own, and instanced meshes are written once. Where it has none, meshes are written where they stand. What a
/// format cannot say is in the report.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ExportFormat: Sendable {
    /// glTF 2.0 in one file.
    case glb
    /// glTF 2.0 as a text, and beside it its numbers in a file of the same name that ends in `.bin`, and its textures.
    case gltf
    /// Wavefront OBJ: meshes and lines in the world, and beside it their materials in a `.mtl` and its textures.
    case obj
    /// Binary STL: triangles in the world, and nothing else.
    case stl
    /// Binary PLY: one mesh in the world, with normals, colours and texture coordinates.
    case ply
    /// USD in one package with its images, for the viewers of Apple's devices.
    case usdz
    /// One of a user's own.
    case custom(CustomFormat)

    /// Those that are built in.
    public static let builtIn: [ExportFormat] = [.glb, .gltf, .obj, .stl, .ply, .usdz]

    /// Of its files' names, in small letters and without a point.
    public var ending: String {
        switch self {
        case .glb: "glb"
        case .gltf: "gltf"
        case .obj: "obj"
        case .stl: "stl"
        case .ply: "ply"
        case .usdz: "usdz"
        case .custom(let format): format.ending
        }
    }

    private var writer: Writer {
        switch self {
        case .glb: .nodes(GLTFFormat(container: .binary))
        case .gltf: .nodes(GLTFFormat(container: .text))
        case .obj: .baked(OBJFormat())
        case .stl: .baked(STLFormat())
        case .ply: .baked(PLYFormat())
        case .usdz: .nodes(USDZFormat())
        case .custom(let format): .custom(format)
        }
    }

    private enum Writer {
        case nodes(any SceneWriter)
        case baked(any BakedSceneWriter)
        case custom(CustomFormat)
    }

    /// The format that is built in for such an ending, in whatever letters; `nil` where there is none.
    public init?(ending: String) {
        let ending = ending.lowercased()
        guard let format = Self.builtIn.first(where: { $0.ending == ending }) else { return nil }
        self = format
    }

    /// The format that is built in for the ending of a file's name; `nil` where there is none.
    public init?(path: String) {
        guard let point = path.lastIndex(of: ".") else { return nil }
        self.init(ending: String(path[path.index(after: point)...]))
    }

    /// What is written for a file at a path, that file first.
    ///
    /// Textures beside it are named when they are written, after the file's own name.
    package func files(of path: String) -> [String] {
        switch writer {
        case .nodes(let writer): writer.files(of: path)
        case .baked(let writer): writer.files(of: path)
        case .custom: [path]
        }
    }

    /// All that are built in, for people, such as `glb, gltf or stl`.
    package static var names: String { listed(builtIn.map(\.ending)) }

    /// The endings of all that are built in, for people, such as `.glb, .gltf or .stl`.
    package static var endings: String { listed(builtIn.map { "." + $0.ending }) }

    private static func listed(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }

    /// Whether a model is one file, which can go to whoever takes bytes.
    package var isOneFile: Bool { files(of: "model").count == 1 }

    package var hasTextures: Bool {
        switch self {
        case .glb, .gltf, .obj, .usdz, .custom: true
        case .stl, .ply: false
        }
    }

    /// Whether it takes ``ExportOptions/compaction``, and textures of WebP.
    package var isGLTF: Bool {
        switch self {
        case .glb, .gltf: true
        case .obj, .stl, .ply, .usdz, .custom: false
        }
    }

    /// Writes a scene whose arrays were kept.
    ///
    /// The file appears at `path` when it is whole; a file there before stays as it was on any error.
    /// - Parameters:
    ///   - path: Of the file to be. Its folder must exist.
    ///   - existing: What becomes of files that are there, also of those whose names are known only now.
    ///   - images: The bytes of images.
    ///   - budget: What it may use; shared with `images` where those are decoded.
    ///   - isCancelled: Asked at each node; once it says so nothing is left behind.
    /// - Throws: ``SceneExportError``: stopped on request, nothing to draw, more than the format can hold or the budget allows, or what the
    ///   system says.
    package func write(
        _ scene: Dae.Scene, to path: String, existing: AtomicFile.Existing = .replaced, images: ExportImages = .none,
        options: ExportOptions = ExportOptions(), budget: ConversionBudget = ConversionBudget(),
        isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> FidelityReport {
        try write(
            scene, to: .file(path, existing: existing), images: images, options: options, budget: budget,
            isCancelled: isCancelled)
    }

    /// The same, also for whoever takes the bytes.
    package func write(
        _ scene: Scene, to target: ExportTarget, images: ExportImages, options: ExportOptions,
        budget: ConversionBudget, isCancelled: () -> Bool
    ) throws(SceneExportError) -> FidelityReport {
        if case .sink = target, !isOneFile {
            throw SceneExportError(
                .ioError, "a .\(ending) is more than one file; expected a format of one file, such as .glb")
        }
        if options.textureEncoding == .webp, !isGLTF {
            throw SceneExportError(.ioError, "a .\(ending) has no textures of WebP; expected .glb or .gltf")
        }
        let writer = writer
        let scene = scene.scaled(by: options.scale)
        // It outlives no call: what was prepared is gone when this one ends.
        return try withoutActuallyEscaping(isCancelled) { isCancelled throws(SceneExportError) in
            var report = FidelityReport()
            switch writer {
            case .nodes(let writer):
                let prepared = try PreparedScene(
                    scene, for: writer.conventions, options: options, budget: budget, isCancelled: isCancelled, &report)
                try writer.write(prepared, to: target, images, &report)
            case .baked(let writer):
                let baked = try BakedScene(
                    scene, images: writer.materials == .kept ? images : nil, options: options, budget: budget,
                    isCancelled: isCancelled, &report)
                try writer.write(baked, to: target, images, &report)
            case .custom(let format):
                try format.write(scene, to: target, images, options, budget, isCancelled, &report)
            }
            return report
        }
    }
}

/// Writes scenes as one format that has nodes.
protocol SceneWriter {
    var conventions: ExportConventions { get }
    /// What is written for a file at a path, that file first.
    func files(of path: String) -> [String]
    func write(
        _ scene: consuming PreparedScene, to target: ExportTarget, _ images: ExportImages,
        _ report: inout FidelityReport
    ) throws(SceneExportError)
}

/// Writes scenes as one format without nodes.
protocol BakedSceneWriter {
    var materials: BakedMaterials { get }
    /// What is written for a file at a path, that file first.
    func files(of path: String) -> [String]
    func write(
        _ scene: BakedScene, to target: ExportTarget, _ images: ExportImages, _ report: inout FidelityReport
    ) throws(SceneExportError)
}

/// Whether a format has materials.
enum BakedMaterials {
    case kept, dropped
}
