import Daedalus
import Foundation

func ownDownload(_ bytes: [UInt8]) async throws {
    var operations = AssetOperations.live()
    operations.stages.download = { source, state, report in
        report(StageProgress(done: Int64(bytes.count), of: Int64(bytes.count)))
        return .bytes(bytes, name: "model.zip")
    }
    let pipeline = AssetPipeline(operations: operations)
    let asset = try await pipeline.perform(.add(url: "https://example.org/model.zip"))

    try require(await pipeline.outcome(of: asset)?.isReady == true, "a download of one's own")
    await pipeline.end()
}

/// A failure of one's own store, which states and reports show like those of the library.
struct StoreFailure: CodedError {
    var code: FindingCode { .downloadConnectionFailed }
    var place: Place { Place() }
    let message: String
}

func ownFailure() async throws {
    var operations = AssetOperations.live()
    operations.stages.download = { _, _, _ in throw StoreFailure(message: "the store is closed until noon") }
    let pipeline = AssetPipeline(operations: operations)
    let asset = try await pipeline.perform(.add(url: "https://example.org/model.zip"))

    let outcome = await pipeline.outcome(of: asset)
    try require(outcome?.availableActions == [.retry, .remove], "a failure that can be tried again")
    await pipeline.end()
}

func timedParsing() async throws {
    var operations = AssetOperations.live()
    let parse = operations.stages.parse
    operations.stages.parse = { state, file, bundle, report in
        let begun = ContinuousClock.now
        let model = try await parse(state, file, bundle, report)
        print(state.document, "took", ContinuousClock.now - begun)
        return model
    }

    let pipeline = AssetPipeline(operations: operations)
    let asset = try await pipeline.perform(.add(path: "model.zip"))
    try require(await pipeline.outcome(of: asset)?.isReady == true, "a timed asset")
    await pipeline.end()
}

func ownConversion() async throws {
    var operations = AssetOperations.live()
    operations.convert = { asset, model in
        let (bytes, report) = try model.bytes(as: .glb)
        try Data(bytes).write(to: URL(filePath: "\(asset).glb"))
        return report
    }
    let pipeline = AssetPipeline(operations: operations)
    let asset = try await pipeline.perform(.add(path: "model.zip"))
    _ = await pipeline.outcome(of: asset)
    try await pipeline.perform(.convert(asset))
    let report = try await pipeline.conversion(of: asset)

    try require(report != nil && FileManager.default.fileExists(atPath: "\(asset).glb"), "a converted asset")
    await pipeline.end()
}

func ownReader(_ store: [UInt8]) async throws {
    let source = AssetSource.reader(name: "model.zip", size: Int64(store.count)) { offset, buffer in
        let bytes = store[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
    let model = try await Dae.load(source)

    try require(model.inspection.counts.triangles == 140, "triangles by a reader")
}
