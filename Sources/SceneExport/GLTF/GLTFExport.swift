public import Diagnostics
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
    package static func binaryPath(of path: String) -> String {
        let ending = ".gltf"
        return (path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path) + ".bin"
    }
}

/// How a scene is written as glTF.
public struct GLTFOptions: Sendable {
    /// Joints of a vertex at most: four, which every engine reads, or eight.
    public enum Influences: Int, Sendable, CaseIterable {
        case four = 4
        case eight = 8
    }
    public enum Container: Sendable, Hashable, CaseIterable {
        /// One file, `.glb`.
        case binary
        /// A text, `.gltf`, and beside it a file of the same name that ends in `.bin`.
        case text
    }
    public var container = Container.binary
    public var influences = Influences.four
    /// Nodes of the tree at most, instanced ones each time.
    public var nodeLimit = 10_000_000
    /// Bytes of a `.glb` at most; the format itself ends at 2³² − 1.
    public var byteLimit = Int(UInt32.max)
    /// What one unit of the file is.
    public enum Units: Sendable, Hashable, CaseIterable {
        /// A metre, as glTF has it.
        case meters
        /// That of the scene: engines take it for a metre.
        case kept
    }
    /// Which axis of the file points up.
    public enum UpAxis: Sendable, Hashable, CaseIterable {
        /// As glTF has it.
        case y
        case z
        /// That of the scene: engines take Y for it.
        case kept
    }
    /// Changed by one node above all; every number below it is the document's.
    public var units = Units.meters
    /// As ``units``.
    public var upAxis = UpAxis.y
    /// Writes the pose at this moment, in seconds, and no animation; skins stay. `nil` for nodes at rest, and animations.
    public var time: Double?
    /// What becomes of surfaces that by the letter cannot be seen at all.
    public enum InvisibleSurfaces: Sendable, Hashable, CaseIterable {
        /// They cover everything: many exporters wrote the opposite of what they meant.
        case opaque
        /// Their opacity is 0.
        case asWritten
    }
    public var invisibleSurfaces = InvisibleSurfaces.opaque
    /// Keys a second, at most, that are added where a curve has to be followed; `nil` for as many as it takes to stay
    /// within 0.002 % of the scene's size. A positive number.
    public var samplingRate: Double?
    /// Nothing is written when anything of these would be lost.
    public var protected: Set<FidelityClass> = []
    /// Whether that is so of all classes.
    public var isLossless: Bool {
        get { protected.count == FidelityClass.allCases.count }
        set { protected = newValue ? Set(FidelityClass.allCases) : [] }
    }
    /// Named in the file as what made it.
    public var generator = "Daedalus"

    public init() {}
}

/// Why a scene was not written.
public struct SceneExportError: CodedError {
    public var code: FindingCode
    public var place: Place
    public var message: String
    /// What would have been changed, where too much of it was: `nil` of every other error.
    public var report: FidelityReport?

    package init(
        _ code: FindingCode, at place: Place = Place(), _ message: String, report: FidelityReport? = nil
    ) {
        self.report = report
        self.code = code
        self.place = place
        self.message = message
    }

    static var stopped: SceneExportError {
        SceneExportError(.assetCancelled, "the conversion was stopped on request")
    }
}
