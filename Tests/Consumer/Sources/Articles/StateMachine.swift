import Daedalus
import Foundation

func statesOfAnAsset() async throws {
    let pipeline = AssetPipeline(operations: .live(), atMost: 4)
    let asset = try await pipeline.perform(.add(path: "model.zip"))
    for await state in await pipeline.states(of: asset) {
        switch state {
        case .downloading(let download): print("downloading", download.received, "of", download.expected ?? 0)
        case .unzipping(let unzip): print("unzipping", unzip.entriesDone, "of", unzip.entriesTotal ?? 0)
        case .parsing(let parse): print("parsing", parse.document)
        case .ready(let ready): print("ready,", ready.summary.triangles, "triangles")
        case .failed(let failure): print("failed to", failure.stage, failure.code.rawValue, failure.message)
        }
    }
    let model = await pipeline.model(of: asset)
    await pipeline.end()

    try require(model?.scene.nodes.count == 7, "a model of the pipeline")
}

func actions() async throws {
    let pipeline = AssetPipeline(operations: .live())
    let trail = await pipeline.actions
    let log = Task { for await taken in trail { print(taken.number, taken.action.kind, taken.asset) } }

    let asset = try await pipeline.perform(.add(path: "missing.zip"))
    let outcome = await pipeline.outcome(of: asset)
    if outcome?.availableActions.contains(.retry) == true { try await pipeline.perform(.retry(asset)) }
    try await pipeline.perform(.cancel(asset))
    try await pipeline.perform(.remove(asset))

    await pipeline.end()
    await log.value
    try require(outcome?.failure?.code == .sourceNotFound, "a failure that can be tried again")
}

/// What a view shows of one asset: a function of its state, and of nothing else.
@MainActor final class AssetScreen {
    private(set) var state: AssetState?

    var title: String { state?.title ?? "" }
    var progress: Double? { state?.progress }
    var buttons: [AssetAction.Kind] { state?.availableActions ?? [] }

    func watch(_ asset: AssetID, of pipeline: AssetPipeline) async {
        for await state in await pipeline.states(of: asset) { self.state = state }
    }
}

@MainActor func screen() async throws {
    let pipeline = AssetPipeline(operations: .live())
    let asset = try await pipeline.perform(.add(path: "model.zip"))
    let screen = AssetScreen()
    await screen.watch(asset, of: pipeline)
    try require(screen.buttons == [.convert, .remove], "buttons of a ready asset")
    await pipeline.end()
}

func preview() throws {
    let failed = AssetState.failed(
        .init(stage: .download, attempt: Attempt(2)!, code: .downloadTimeout, message: "nothing came for 60 s"))
    print(AssetStatePresentation(failed).line)

    try require(failed.availableActions == [.retry, .remove], "actions of a state for a preview")
}

func allAssets(_ paths: [String]) async throws {
    let pipeline = AssetPipeline(operations: .live(), atMost: 4)
    for path in paths { try await pipeline.perform(.add(path: path)) }
    var unsettled = paths.count
    for await update in await pipeline.states where update.state.isSettled {
        print(update.asset, update.state.title)
        unsettled -= 1
        if unsettled == 0 { break }
    }
    await pipeline.end()
}

func storedState() async throws {
    let pipeline = AssetPipeline(operations: .live())
    let asset = try await pipeline.perform(.add(path: "model.zip"))
    _ = await pipeline.outcome(of: asset)
    guard let state = await pipeline.state(of: asset) else { return }
    let json = try JSONEncoder().encode(state)
    let later = AssetPipeline(operations: .live())
    try await later.restore(JSONDecoder().decode(AssetState.self, from: json), source: .path("model.zip"), as: asset)

    try require(await later.state(of: asset) == state, "a restored state")
    await pipeline.end()
    await later.end()
}
