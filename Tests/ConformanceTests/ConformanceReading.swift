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
    /// For each image of the scene what tells its picture from others: a hash of its file; else what it refers to.
    let pictures: [String]

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
            else { return row.reference ?? "none" }
            return String(bytes.hashValue)
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
