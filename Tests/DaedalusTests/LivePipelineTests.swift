import Daedalus
import FoundationEssentials
import TestSupport
import Testing

/// The whole way, with real files, a real server and the real parser.
@Suite struct LivePipelineTests {
    private func pipeline(cache: TemporaryFolder) -> AssetPipeline {
        AssetPipeline(operations: .live(.init(cache: DownloadCache(folder: cache.path))))
    }

    @Test(
        arguments: [
            ("bundles/chair.zip", 72, Bundle.Kind.zip), ("bundles/lamp.zae", 116, .zae),
            ("bundles/house.kmz", 20, .kmz),
            ("documents/polylist.dae", nil, .dae),
        ] as [(String, Int?, Bundle.Kind)])
    func aFileBecomesAScene(name: String, triangles: Int?, kind: Bundle.Kind) async throws {
        let cache = try TemporaryFolder()
        let pipeline = pipeline(cache: cache)
        let asset = try await pipeline.perform(.add(source: Repository.fixtures + "/" + name))
        let outcome = try #require(await pipeline.outcome(of: asset))
        guard case .ready(let ready) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let product = try #require(await pipeline.model(of: asset))
        #expect(product.inspection.source.kind == kind)
        if let triangles { #expect(ready.summary.triangles == triangles) }
        #expect(ready.summary.triangles == product.inspection.scene.triangles)
        #expect(ready.summary.sha256 == product.inspection.source.sha256)
        await pipeline.end()
    }

    @Test func anAddressGoesThroughEveryStage() async throws {
        let bytes = try Repository.fixture("bundles/walker.zip")
        let server = try LoopbackServer(["/models/walker.zip": { _, connection in connection.respond(body: bytes) }])
        let cache = try TemporaryFolder()
        let pipeline = pipeline(cache: cache)
        let asset = try await pipeline.perform(.add(source: server.url("/models/walker.zip")))
        var stages: [AssetStage?] = []
        for await state in await pipeline.states(of: asset) where stages.last != state.stage {
            stages.append(state.stage)
        }
        #expect(stages.first == .download)
        #expect(stages.last == .some(nil))
        let product = try #require(await pipeline.model(of: asset))
        #expect(product.inspection.counts.skins == 1)
        #expect(product.inspection.images.first?.status == .found)
        #expect(product.scene.nodes.contains { $0.kind == .joint })
        await pipeline.end()
    }

    /// Whoever imports the library alone can write every limit down.
    @Test func aDocumentDeeperThanItsLimitIsRefused() async throws {
        let cache = try TemporaryFolder()
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: cache.path))
        options.collada.limits.depth = 3
        let pipeline = AssetPipeline(operations: .live(options))
        let asset = try await pipeline.perform(.add(source: Repository.fixtures + "/documents/polylist.dae"))
        #expect(await pipeline.outcome(of: asset)?.failure?.code == .xmlDepthExceeded)
        await pipeline.end()
    }

    @Test func aFailureSaysItsStageAndWhatWasFoundBefore() async throws {
        let place = try TemporaryFolder()
        let document = try place.write(
            "<!DOCTYPE COLLADA><COLLADA version='1.4.1'><asset></COLLADA>", to: "broken.dae")
        let pipeline = pipeline(cache: place)
        let asset = try await pipeline.perform(.add(source: document))
        let outcome = try #require(await pipeline.outcome(of: asset))
        #expect(outcome.failure?.stage == .parse)
        #expect(outcome.failure?.code == .xmlNotWellFormed)
        #expect(await pipeline.findings(of: asset).counts[.xmlDoctypeIgnored] == 1)
        await pipeline.end()
    }

    /// The model has the image of the bundle, and the state stays what it was.
    @Test func aReadyAssetIsConvertedToAPlaceThatWasGiven() async throws {
        let place = try TemporaryFolder()
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: place.path))
        options.collada.retention = .everything
        options.conversion = .init { [path = place.path] in ("\(path)/\($0).glb", .glb) }
        let pipeline = AssetPipeline(operations: .live(options))
        let asset = try await pipeline.perform(.add(source: Repository.fixtures + "/bundles/walker.zip"))
        let ready = await pipeline.outcome(of: asset)
        #expect(try await pipeline.conversion(of: asset) == nil)
        try await pipeline.perform(.convert(asset))
        let report = try #require(try await pipeline.conversion(of: asset))
        #expect(report.contents.images == 1 && report.contents.skins == 1)
        #expect(try Repository.bytes(at: "\(place.path)/\(asset).glb").count == report.contents.bytes)
        #expect(await pipeline.state(of: asset) == ready)
        await pipeline.end()
    }

    @Test func aConversionThatFailsSaysWhy() async throws {
        let place = try TemporaryFolder()
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: place.path))
        options.collada.retention = .everything
        options.conversion = .init { [path = place.path] _ in (path + "/no/such/folder/a.glb", .glb) }
        let pipeline = AssetPipeline(operations: .live(options))
        let asset = try await pipeline.perform(.add(source: Repository.fixtures + "/bundles/walker.zip"))
        _ = await pipeline.outcome(of: asset)
        try await pipeline.perform(.convert(asset))
        let error = await #expect(throws: SceneExportError.self) { try await pipeline.conversion(of: asset) }
        #expect(error?.code == .ioError)
        await pipeline.end()
    }
}
