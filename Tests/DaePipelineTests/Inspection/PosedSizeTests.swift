import DaeArchive
import DaeCollada
import DaePipeline
import DaeScene
import TestSupport
import Testing

/// Sizes are those of what is drawn at rest: of skins and morphs in their pose, whatever is kept of them.
@Suite struct PosedSizeTests {
    private static func bounds(_ path: String, _ retention: ColladaOptions.Retention) throws -> Bounds {
        let bundle = try Bundle.open(path: path)
        let choice = try BundleManifest.scene(of: bundle).choice
        var inspector = Inspector()
        inspector.options.retention = retention
        return try #require(try inspector.inspect(bundle, choice, input: "a").inspection.scene.bounds)
    }

    private static func isNear(_ one: Bounds, min: SIMD3<Double>, max: SIMD3<Double>) -> Bool {
        let away = pointwiseMax(one.min - min, min - one.min) + pointwiseMax(one.max - max, max - one.max)
        return away.max() < 1e-6
    }

    @Test(arguments: [ColladaOptions.Retention.figures, .everything])
    func aRigThatIsInstancedTwiceHasTheSizeOfBoth(_ retention: ColladaOptions.Retention) throws {
        let path = Repository.fixtures + "/field/A11-rig-instanced-twice/twice.dae"
        #expect(Self.isNear(try Self.bounds(path, retention), min: [0, 0, 10], max: [6, 1, 20]))
    }

    @Test(arguments: [ColladaOptions.Retention.figures, .everything])
    func aNodeThatCarriesItsSkinCounts(_ retention: ColladaOptions.Retention) throws {
        // The rule's fixture: a square of 15 times its size.
        let path = Repository.fixtures + "/rules/SKIN_NODE_TRANSFORM.dae"
        #expect(Self.isNear(try Self.bounds(path, retention), min: [0, 0, 0], max: [15, 15, 0]))
    }

    @Test func anArchiveIsPosedToo() throws {
        let folder = try TemporaryFolder()
        var builder = ZipBuilder()
        builder.add("a.dae", try Repository.fixture("field/A11-rig-instanced-twice/twice.dae"))
        let path = try folder.write(builder.bytes(), to: "a.zip")
        #expect(Self.isNear(try Self.bounds(path, .figures), min: [0, 0, 10], max: [6, 1, 20]))
    }

    @Test(
        .enabled(
            if: Repository.corpus != nil,
            "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
    func aRealModelHasTheSizeThatIsSeen() throws {
        let corpus = try #require(Repository.corpus)
        let size = try Self.bounds(corpus + "/threejs-2012/collada/monster/monster.dae", .figures).size
        // In inches; found apart from this code.
        let seen = SIMD3(2528.2964, 1141.9973, 1816.3704)
        let away = (size - seen) / seen
        #expect((away * away).sum() < 1e-4, "\(size)")
    }
}
