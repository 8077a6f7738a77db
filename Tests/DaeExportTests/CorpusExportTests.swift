import DaeCollada
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct CorpusExportTests {
    /// In the gate every so many documents, in --full all.
    private static let step = Repository.environment("DAE_TEST_FULL") == "1" ? 1 : 12
    /// Their only triangles have corners without a position.
    private static let undrawable = ["gz-common/malformed_p_negative_index.dae"]
    /// Documents above this size are converted in --full only.
    private static let sizeLimit = Repository.environment("DAE_TEST_FULL") == "1" ? Int.max : 4_000_000

    @Test func everyDocumentWithGeometryBecomesAValidFileOfTheSameTriangles() throws {
        let corpus = try #require(Repository.corpus)
        let paths = try Repository.table(corpus + "/MANIFEST.tsv").filter { $0["expect"] == "ok" }
            .compactMap { $0["path"] }.filter { $0.hasSuffix(".dae") }
        var converted = 0
        for (number, path) in paths.enumerated() where number % Self.step == 0 {
            let document = try Repository.bytes(at: corpus + "/" + path)
            guard document.count <= Self.sizeLimit, let scene = try? Conversion.scene(of: document) else { continue }
            let census = SceneCensus(of: scene)
            guard census.instances > 0 else { continue }
            let conversion: Conversion
            do { conversion = try Conversion(scene) } catch let error as SceneExportError {
                #expect(census.triangles == 0 || Self.undrawable.contains(path), "\(path): \(error)")
                continue
            }
            converted += 1
            let checker = conversion.checker
            #expect(checker.faults.isEmpty, "\(path): \(checker.faults.prefix(4))")
            let lost = conversion.report.entries.first { $0.subject == .corners }?.count ?? 0
            let triangles = try #require(checker.file).drawnTriangles
            #expect(lost > 0 || triangles == census.triangles, "\(path): \(triangles) of \(census.triangles) triangles")
            checkBounds(of: scene, checker, path)
        }
        #expect(converted >= min(25, paths.count / Self.step / 2), "\(converted) documents were converted")
    }

    /// Where no skin moves anything, what is drawn fills the same box.
    private func checkBounds(of scene: Scene, _ checker: GLTFChecker, _ path: String) {
        guard scene.controllers.isEmpty else { return }
        let expected = SceneBounds(of: scene.converted(toMeters: 1, up: .y))
        guard expected.isExact, let box = expected.box, let ours = checker.bounds else { return }
        let size = max(box.size.max(), 1e-30)
        let difference = max((ours.min - box.min).largest, (ours.max - box.max).largest) / size
        // Numbers are written in 24 bits: far from the origin that is less than a size in 100,000.
        let rounding = max(box.min.largest, box.max.largest) / size * 1e-6
        #expect(difference <= 1e-5 + rounding, "\(path): \(ours) for \(box)")
    }
}

extension SIMD3<Double> {
    fileprivate var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }
}
