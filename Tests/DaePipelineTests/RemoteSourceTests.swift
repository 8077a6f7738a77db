import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@testable import DaePipeline

/// Archives on servers that are read by ranges, through all stages.
@Suite(.timeLimit(.minutes(10))) struct RemoteSourceTests {
    private static func archive(seed: UInt64) -> FaultResource {
        var builder = ZipBuilder()
        builder.add(
            "scene.dae",
            """
            <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>
            <asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_visual_scenes><visual_scene id='s'>
            <node id='n'/></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>
            """)
        builder.add("padding.bin", FaultResource.noise(1_500_000, seed: seed))
        return FaultResource(builder.bytes(), tag: .strong("\(seed)"))
    }

    @Test func aFileThatChangedIsOpenedAnewByTheNextAttempt() async throws {
        let server = try FaultServer(["/a.zip": Self.archive(seed: 1)])
        server.play([.none, .replaced(by: Self.archive(seed: 2))], at: "/a.zip")
        let pipeline = AssetPipeline(operations: .live())
        let id = try await pipeline.perform(.add(source: server.url("/a.zip")))
        await pipeline.coordinator(of: id).start()
        let failure = try #require(await pipeline.state(of: id)?.failure)
        #expect(failure.code == .downloadValidatorChanged)
        #expect(failure.stage == .unzip)
        #expect(failure.message.contains("changed on the server"))
        try await pipeline.perform(.retry(id))
        await pipeline.coordinator(of: id).start()
        #expect(await pipeline.state(of: id)?.failure == nil)
        let product = try #require(await pipeline.model(of: id))
        #expect(product.inspection.source.sha256 == nil)
        #expect(product.inspection.scene.nodes == 1)
    }

    @Test func aFileThatNobodyReadsOnIsLetGo() async throws {
        let server = try FaultServer(["/a.zip": Self.archive(seed: 1)])
        let stages = LiveStages(options: .init())
        let source = try await sourceAfterDownload(of: server.url("/a.zip"), by: stages)
        #expect(source.value == nil)
    }

    /// What is left where an attempt is stopped between two stages.
    private func sourceAfterDownload(of url: String, by stages: LiveStages) async throws -> Fading {
        let download = try await stages.download(.url(url), for: .listing) { _ in }
        let source = try #require(download.remote?.file.source)
        return Fading(value: source)
    }

    private struct Fading {
        weak var value: RemoteByteSource?
    }

    @Test func twoSourcesInOneArchiveDoNotDisturbEachOther() async throws {
        let server = try FaultServer(["/a.zip": Self.archive(seed: 1)])
        let pipeline = AssetPipeline(operations: .live())
        let first = try await pipeline.perform(.add(source: server.url("/a.zip")))
        let second = try await pipeline.perform(.add(source: server.url("/a.zip!/scene.dae")))
        async let one = pipeline.coordinator(of: first).start()
        async let two = pipeline.coordinator(of: second).start()
        _ = await (one, two)
        for id in [first, second] {
            #expect(await pipeline.state(of: id)?.failure == nil)
            #expect(await pipeline.model(of: id)?.inspection.scene.nodes == 1)
        }
    }
}
