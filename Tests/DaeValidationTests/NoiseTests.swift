// Real models that others read without a complaint: few of them may have an error, and each must be true.

import DaeCollada
import DaeDiagnostics
import DaeDownload
import DaePipeline
import DaeResources
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct NoiseTests {
    /// A file with an error, and why it is true.
    struct Truth: Sendable {
        let path: String
        let code: FindingCode
        let why: String
    }

    private static let empty = "it holds an asset and nothing else: there is no geometry, scene or image in it"

    /// Beside IMAGE_NOT_FOUND, where the manifest says that the texture is missing at the origin too.
    static let truths: [Truth] = [
        Truth(
            path: "collada-dom/1.4/data/extraTest.dae", code: .schemaMissingAttribute,
            why: "line 16: <float_array> without the count it must have, by which other readers take its numbers"),
        Truth(
            path: "gz-common/box_multiple_inst_controllers.dae", code: .idDuplicate,
            why: "line 123 and on: the sources of a second skin have the ids of the first one's"),
        Truth(
            path: "gz-common/box_with_default_stride.dae", code: .animationCountMismatch,
            why: "line 148: a sampler of 40 keys has an OUTPUT of one value"),
        Truth(
            path: "khronos-cts/1_5/collada/asset/contributor/no_contributor/no_contributor.dae", code: .docEmpty,
            why: empty),
        Truth(path: "khronos-cts/1_5/collada/asset/modified/modified.dae", code: .docEmpty, why: empty),
        Truth(
            path: "khronos-cts/collada/asset/contributor/no_contributor/no_contributor.dae", code: .docEmpty,
            why: empty),
        Truth(path: "khronos-cts/collada/asset/modified/modified.dae", code: .docEmpty, why: empty),
        Truth(
            path: "khronos-cts/collada/library_geometries/geometry/mesh/source/float_array/NaN/NaN.dae",
            code: .numberNonFinite, why: "line 103 and on: NaN stands among the numbers, as the file's name says"),
        Truth(
            path: "opencollada/DAEValidator/tests/data/dae/physx.dae", code: .schemaInvalidNumber,
            why: "line 596: <static_friction> is the letter a"),
        Truth(
            path: "opencollada/DAEValidator/tests/data/daevalidator/check_missing_schema.dae", code: .docEmpty,
            why: empty),
        Truth(path: "opencollada/DAEValidator/tests/data/daevalidator/collada_1.5.dae", code: .docEmpty, why: empty),
        Truth(
            path: "opencollada/DAEValidator/tests/data/daevalidator/collada_no_version.dae", code: .docEmpty,
            why: empty),
        Truth(path: "opencollada/xsd2cppsax/tests/collada_base_attr_01.dae", code: .docEmpty, why: empty),
        Truth(path: "opencollada/xsd2cppsax/tests/collada_ns_in_extra_01.dae", code: .docEmpty, why: empty),
        Truth(
            path: "trimesh/cube_invalid_shininess.dae", code: .schemaListLength,
            why: "line 21: a <color> of one number"),
    ]

    /// Those of the others that the gate reads; `DAE_TEST_FULL` reads all.
    private static let gateStep = 5
    /// Of so many files one may have an error.
    private static let share = 20

    private static let manifest = Result {
        try Repository.table((Repository.corpus ?? "") + "/MANIFEST.tsv").filter { $0["expect"] == "ok" }
    }

    @Test func errorsAreFewAndTrue() async throws {
        let corpus = try #require(Repository.corpus)
        let rows = try Self.manifest.get()
        let expected = Dictionary(grouping: Self.truths, by: \.path).mapValues { Set($0.map(\.code)) }
        let isFull = Repository.environment("DAE_TEST_FULL") == "1"
        var read = 0
        for (place, row) in rows.enumerated() {
            let path = row["path"] ?? ""
            guard isFull || place % Self.gateStep == 0 || expected[path] != nil else { continue }
            read += 1
            var errors = try await Self.errors(of: "\(corpus)/\(path)")
            if row["textures_missing"]?.isEmpty == false { errors.remove(.imageNotFound) }
            #expect(errors == expected[path] ?? [], "\(path)")
        }
        #expect(read >= min(rows.count, 60))
    }

    @Test func theTableHasFewFilesAndOnlyThoseThatCount() throws {
        let paths = Set(try Self.manifest.get().compactMap { $0["path"] })
        let told = Set(Self.truths.map(\.path))
        #expect(told.count * Self.share <= paths.count)
        #expect(told.subtracting(paths) == [])
        #expect(Self.truths.allSatisfy { !$0.why.isEmpty })
    }

    /// As `dae validate` has them.
    private static func errors(of path: String) async throws -> Set<FindingCode> {
        let folder = try TemporaryFolder()
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: folder.path + "/cache"))
        options.validates = true
        options.policy = .hostPaths([])
        options.collada.schema = .lenient
        options.collada.retention = .figures
        let pipeline = AssetPipeline(operations: .live(options))
        let asset = try await pipeline.perform(.add(source: path))
        let state = await pipeline.outcome(of: asset)
        let findings = await pipeline.findings(of: asset)
        await pipeline.end()
        let errors = findings.findings.lazy.filter { $0.severity == .error }.map(\.code)
        return Set(errors).union(state?.failure.map { [$0.code] } ?? [])
    }
}
