public import DaeDiagnostics
public import DaeScene

/// A kind of file that scenes are written as. Each is written by a folder of its own, and by one line here.
///
/// Units become metres and the up axis Y by one node above all; every number below it is the document's own. Instanced
/// meshes are written once. What a format cannot say is in the report.
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
    public func files(of path: String) -> [String] { writer.files(of: path) }

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
    public func write(
        _ scene: Scene, to path: String, images: ExportImages = .none, options: ExportOptions = ExportOptions(),
        budget: ConversionBudget = ConversionBudget(), isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) -> FidelityReport {
        let writer = writer
        // It outlives no call: what was prepared is gone when this one ends.
        return try withoutActuallyEscaping(isCancelled) { isCancelled throws(SceneExportError) in
            var report = FidelityReport()
            let prepared = try PreparedScene(
                scene, for: writer.conventions, options: options, budget: budget, isCancelled: isCancelled, &report)
            try writer.write(prepared, to: path, images, &report)
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
        _ scene: consuming PreparedScene, to path: String, _ images: ExportImages, _ report: inout FidelityReport
    ) throws(SceneExportError)
}

/// What formats have differently from each other: what is prepared for one is as it has it.
struct ExportConventions {
    /// The corner of an image at which texture coordinates are 0.
    enum ImageOrigin {
        /// As in COLLADA.
        case bottomLeft
        case topLeft
    }
    /// What the numbers of vertex colours stand for.
    enum Colors {
        /// What a display is given, as in COLLADA.
        case display
        /// Amounts of light.
        case linear
    }
    let imageOrigin: ImageOrigin
    let colors: Colors

    /// A texture coordinate that counts from the bottom up.
    @inline(__always)
    func height(_ v: Double) -> Double {
        switch imageOrigin {
        case .bottomLeft: v
        case .topLeft: 1 - v
        }
    }

    /// The difference of two such.
    @inline(__always)
    func rise(_ v: Double) -> Double {
        switch imageOrigin {
        case .bottomLeft: v
        case .topLeft: -v
        }
    }

    /// A colour that a display was given, within 0 to 1.
    @inline(__always)
    func color(_ color: SIMD4<Double>) -> SIMD4<Double> {
        switch colors {
        case .display: color
        case .linear: SIMD4(color.x.linearFromSRGB, color.y.linearFromSRGB, color.z.linearFromSRGB, color.w)
        }
    }
}

/// Why a scene was not written.
public struct SceneExportError: CodedError {
    public var code: FindingCode
    public var place: Place
    public var message: String
    /// What would have been changed, where too much of it was: `nil` of every other error.
    public var report: FidelityReport?

    public init(
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
