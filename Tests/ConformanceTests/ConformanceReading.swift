import Daedalus
import TestSupport
import Testing

/// One document of the Khronos suite, read the way the pipeline reads a source.
struct ConformanceReading: Sendable {
    /// Below the suite's folder.
    let path: String
    let document: ColladaDocument
    let scene: Scene
    let inspection: Inspection
    /// By the scene's images.
    let pictures: [FlatSurface.Picture]

    var findings: [Finding] { inspection.findings.findings }

    init(_ path: String) throws {
        self.path = path
        let bundle = try Bundle.open(path: ConformanceSuite.folder + "/" + path)
        let choice = try BundleManifest.scene(of: bundle).choice
        let result = try Inspector().inspect(bundle, choice, input: path)
        inspection = result.inspection
        scene = result.scene
        document = try ColladaParser.read(bundle.bytes(of: choice.entry, limit: 1 << 24)).document
        pictures = inspection.images.map { row in
            guard let path = row.path, let entry = bundle.entry(at: path),
                let bytes = try? bundle.bytes(of: entry, limit: 1 << 24)
            else { return .init(content: row.reference ?? "none") }
            // Of the suite's pictures this one is red all over.
            let isRed = path.hasSuffix("fullRed.png")
            return .init(content: String(bytes.hashValue), onlyColor: isRed ? [1, 0, 0] : nil)
        }
    }
}

/// Where the suite lies within the corpus.
enum ConformanceSuite {
    static let isHere = Repository.corpus != nil
    static let absence: Comment =
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"
    static let folder = (Repository.corpus ?? "") + "/" + name
    static let name = "khronos-cts"
}
