import Daedalus
import Foundation

/// States, a cancellation and a retry, with the trail of actions.
func observe() async throws {
    let pipeline = AssetPipeline(operations: .live())
    let trail = await pipeline.actions
    let log = Task { for await taken in trail { print(taken.number, taken.action.kind) } }
    let asset = try await pipeline.perform(.add(path: "model.zip"))
    let watch = Task {
        for await state in await pipeline.states(of: asset) { print(AssetStatePresentation(state).line) }
    }
    try await pipeline.perform(.cancel(asset))
    await watch.value
    if await pipeline.state(of: asset)?.isCancelled == true { try await pipeline.perform(.retry(asset)) }
    let outcome = await pipeline.outcome(of: asset)
    try require(outcome?.isReady == true, "a retried asset")
    await pipeline.end()
    await log.value
}

/// A download of one's own, and everything behind it as it is.
func ownops(_ bytes: [UInt8]) async throws {
    var operations = AssetOperations.live()
    operations.stages.download = { source, _, report in
        for part in 1...4 {
            report(StageProgress(done: Int64(bytes.count * part / 4), of: Int64(bytes.count)))
            try await Task.sleep(for: .milliseconds(1))
        }
        return .bytes(bytes, name: "model.zip")
    }
    let pipeline = AssetPipeline(operations: operations)
    let asset = try await pipeline.perform(.add(url: "https://example.org/model.zip"))
    for await state in await pipeline.states(of: asset) { print(AssetStatePresentation(state).line) }
    try require(await pipeline.model(of: asset)?.inspection.counts.triangles == 140, "a scene of one's own download")
    await pipeline.end()
}

/// A hundred bundles, at most four at once.
func batch() async throws {
    let pipeline = AssetPipeline(operations: .live(), atMost: 4)
    for _ in 0..<100 { try await pipeline.perform(.add(path: "model.zip")) }
    var settled: Set<AssetID> = []
    for await update in await pipeline.states where update.state.isSettled {
        settled.insert(update.asset)
        if settled.count == 100 { break }
    }
    print(settled.count, "settled")
    await pipeline.end()
}

/// As many as come, without a queue of one's own.
func flood() async throws {
    let pipeline = AssetPipeline(operations: .live(), atMost: 8)
    var assets: [AssetID] = []
    for _ in 0..<60 { assets.append(try await pipeline.perform(.add(path: "model.zip"))) }
    for asset in assets { try require(await pipeline.outcome(of: asset)?.isReady == true, "one of sixty") }
    await pipeline.end()
}

/// A reading that is stopped by its task.
func cancelparse() async throws {
    let reading = Task { try await Dae.load(.path("model.zip")) }
    reading.cancel()
    do {
        _ = try await reading.value
        throw Unexpected("a reading that was cancelled")
    } catch is CancellationError { print("cancelled") }
}
