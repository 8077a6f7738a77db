// Which files of the corpus each rule over numbers hits: what fires in many must be right, and warnings must be few.

import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct DeepCorpusTests {
    private static let codes: [FindingCode] = [
        .polygonConcave, .polygonNonPlanar, .polygonSelfIntersecting, .polygonHoles, .polygonHoleInvalid,
        .triangleDegenerate, .normalNonUnit, .normalZero, .tangentWithoutNormal, .meshBoundsDegenerate,
        .meshVerticesUnused, .perfUnindexed, .perfDuplicateGeometry, .animationFullTurn, .perfConstantChannel,
        .perfOversampled, .skinBindShapeNonInvertible, .skinMatrixNonAffine, .skinVertexUnweighted, .skinJointRepeated,
    ]
    /// Of the files that others read without a complaint, how many may have one warning of these.
    private static let mostWarned = 0.1
    /// Those that the gate reads; `DAE_TEST_FULL` reads all.
    private static let gateStep = 5

    @Test func fewFilesAreWarnedOf() throws {
        let corpus = try #require(Repository.corpus)
        let all = try Repository.table(corpus + "/MANIFEST.tsv").filter { $0["expect"] == "ok" }.compactMap {
            $0["path"]
        }
        let isFull = Repository.environment("DAE_TEST_FULL") == "1"
        let paths = isFull ? all : all.enumerated().filter { $0.offset % Self.gateStep == 0 }.map(\.element)
        #expect(paths.count >= 30)
        var hit: [FindingCode: [String]] = [:]
        for path in paths {
            let found = Outcome(path: "\(corpus)/\(path)", input: path).codes
            for code in Self.codes where found.contains(code) { hit[code, default: []].append(path) }
        }
        for code in Self.codes {
            let files = hit[code] ?? []
            print("\(code.rawValue) \(code.severity): \(files.count) of \(paths.count)")
            guard code.severity == .warning else { continue }
            #expect(Double(files.count) <= Self.mostWarned * Double(paths.count), "\(code.rawValue): \(files)")
        }
    }
}
