// A straight line through the stages: each stage's result is a local value, so nothing is optional and nothing can be
// used before it is there.

import Diagnostics
import Download

/// One asset on its way through its stages.
public struct AssetCoordinator: Coordinator {
    public let asset: AssetID
    let pipeline: AssetPipeline

    /// Returns once the asset has settled and nothing works for it any more; cancelled, it cancels the asset.
    public func start() async {
        if await pipeline.outcome(of: asset) == nil {
            // An asset that was removed meanwhile needs no cancelling.
            _ = try? await pipeline.perform(.cancel(asset))
        }
        await pipeline.rest(of: asset)
    }

    /// Runs one attempt; returns at its end, soon after the task was cancelled at the latest.
    @concurrent
    func attempt(_ download: AssetState.Download) async {
        let attempt = download.attempt
        let stages = pipeline.operations.stages
        do {
            let file = try await fetch(download)
            guard case .unzip(let unzip) = await tell(.downloaded(archive: file.name, attempt: attempt), attempt)
            else { return }
            let bundle = try await reporting({ .checked($0, attempt: attempt) }) { report in
                try await stages.unzip(unzip, file, report)
            }
            let opened = AssetStateMachine.Event.unzipped(
                document: bundle.scene, bytes: bundle.sceneBytes, attempt: attempt)
            guard case .parse(let parse) = await tell(opened, attempt) else { return }
            let product = try await reporting({ .read($0, attempt: attempt) }) { report in
                try await stages.parse(parse, file, bundle, report)
            }
            try await pipeline.send(product, to: asset, attempt: attempt)
        } catch {
            if let found = (error as? any FindingsCarrying)?.findings { await pipeline.keep(found, of: asset) }
            await tell(.failed(AssetState.Reason(error), Recovery(after: error), attempt: attempt), attempt)
        }
    }

    private func fetch(_ download: AssetState.Download) async throws -> AssetFile {
        do {
            try Task.checkCancellation()
            return try await reporting({ .received($0, attempt: download.attempt) }) { report in
                try await pipeline.operations.stages.download(download, report)
            }
        } catch {
            if Task.isCancelled { pipeline.operations.instant.discardPartial(download) }
            throw error
        }
    }

    /// Runs a stage while its newest count is passed on; none is left over when it returns.
    private func reporting<Value: Sendable>(
        _ event: @escaping @Sendable (Tally) -> AssetStateMachine.Event,
        _ stage: (@escaping AssetOperations.Report) async throws -> Value
    ) async throws -> Value {
        let (counts, continuation) = AsyncStream.makeStream(of: Tally.self, bufferingPolicy: .bufferingNewest(1))
        async let passed: Void = pass(on: counts, as: event)
        let result: Result<Value, any Error>
        do {
            result = .success(try await stage { continuation.yield($0) })
        } catch {
            result = .failure(error)
        }
        continuation.finish()
        await passed
        return try result.get()
    }

    private func pass(on counts: AsyncStream<Tally>, as event: (Tally) -> AssetStateMachine.Event) async {
        for await count in counts {
            let event = event(count)
            guard let attempt = event.attempt else { continue }
            await tell(event, attempt)
        }
    }

    /// Reports; what the machine did not expect ends the attempt as a failure, so that no asset waits for ever.
    @discardableResult
    private func tell(_ event: AssetStateMachine.Event, _ attempt: Attempt) async -> AssetStateMachine.Effect {
        do {
            return try await pipeline.send(event, to: asset)
        } catch {
            // A failure of the present attempt has an answer in every state.
            _ = try? await pipeline.send(
                .failed(AssetState.Reason(error), Recovery(after: error), attempt: attempt), to: asset)
            return .none
        }
    }
}
