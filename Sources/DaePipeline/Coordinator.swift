import DaeDiagnostics
import DaeDownload
package import DaeMesh

/// Owns a flow and the flows inside it; they end with it.
///
/// What is required is small; the extension is what another language would put into a base class.
package protocol Coordinator: Sendable {
    /// What the flow comes to.
    associatedtype Value: Sendable = Void

    /// Runs the flow to its end.
    ///
    /// Once the task it is called in is cancelled, it ends its children, waits for them, and returns soon.
    func start() async -> Value
}

extension Coordinator {
    /// Starts children side by side and takes their outcomes in order; returns when all that were begun have ended.
    ///
    /// They run as child tasks, so cancelling this flow cancels them; no further one is begun then.
    ///
    /// - Parameters:
    ///   - count: Children in all.
    ///   - limit: Children at work at once, at least 1.
    ///   - begin: Makes the child of an index, from 0; called one after the other. `nil`: no further one is begun.
    ///   - take: Called once for each child that was begun, in their order, one after the other; while it runs no further
    ///     child is begun. Says whether to go on: if not, those at work are cancelled, and no more is taken.
    package func startChildren<Child: Coordinator>(
        count: Int, atMost limit: Int, begin: (_ index: Int) async -> Child?,
        take: (_ index: Int, _ outcome: Child.Value) async -> Bool
    ) async {
        await withTaskGroup(of: (index: Int, outcome: Child.Value).self) { group in
            let limit = min(max(1, limit), max(1, count))
            var rest = 0..<max(0, count)
            var atWork = 0
            var ended = InOrder<Child.Value>()
            func beginMore() async {
                // Outcomes that wait for an earlier one are held, and may be large.
                while !Task.isCancelled, atWork < limit, rest.lowerBound - ended.taken < Self.mostHeld + limit,
                    let index = rest.popFirst()
                {
                    guard let child = await begin(index) else {
                        rest = rest.upperBound..<rest.upperBound
                        return
                    }
                    atWork += 1
                    group.addTask { (index, await child.start()) }
                }
            }
            await beginMore()
            while let (index, outcome) = await group.next() {
                atWork -= 1
                ended.add(outcome, at: index)
                await beginMore()
                while let (index, outcome) = ended.next() {
                    guard await take(index, outcome) else { return group.cancelAll() }
                }
                await beginMore()
            }
        }
    }

    /// Outcomes that may wait for an earlier child's.
    private static var mostHeld: Int { 32 }
}

/// Values that come in any order and go by their index.
package struct InOrder<Value> {
    private var held: [Int: Value] = [:]
    /// How many have gone.
    package private(set) var taken = 0

    package init() {}

    package mutating func add(_ value: Value, at index: Int) { held[index] = value }

    /// The next value, once it is there.
    package mutating func next() -> (index: Int, value: Value)? {
        guard let value = held.removeValue(forKey: taken) else { return nil }
        defer { taken += 1 }
        return (taken, value)
    }
}

// A straight line through the stages: each stage's result is a local value, so nothing is optional and nothing can be
// used before it is there.

/// One asset on its way through its stages.
package struct AssetCoordinator: Coordinator {
    package let asset: AssetID
    let pipeline: AssetPipeline

    /// Returns once the asset has settled and nothing works for it any more; cancelled, it cancels the asset.
    @discardableResult
    package func start() async -> AssetID {
        if await pipeline.outcome(of: asset) == nil {
            // An asset that was removed meanwhile needs no cancelling.
            _ = try? await pipeline.perform(.cancel(asset))
        }
        await pipeline.rest(of: asset)
        return asset
    }

    /// Has the model of the asset, which is ready, written; cancelled, it stops that.
    ///
    /// - Returns: What was changed on the way.
    /// - Throws: What ``AssetPipeline/perform(_:)`` throws, and why the model was not written.
    package func convert() async throws -> FidelityReport? {
        try await pipeline.perform(.convert(asset))
        return try await withTaskCancellationHandler {
            try await pipeline.conversion(of: asset)
        } onCancel: {
            Task { try? await pipeline.perform(.cancel(asset)) }
        }
    }

    /// Runs one attempt; returns at its end, soon after the task was cancelled at the latest.
    @concurrent
    func attempt(_ download: AssetState.Download, at source: AssetSource) async {
        let attempt = download.attempt
        let stages = pipeline.operations.stages
        do {
            try Task.checkCancellation()
            let file = try await reporting({ .received($0, attempt: attempt) }) { report in
                try await stages.download(source, download, report)
            }
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
            if let failure = error as? CodedFailure { await pipeline.keep(failure.findings, of: asset) }
            await tell(.failed(AssetState.Reason(error), Recovery(after: error), attempt: attempt), attempt)
        }
    }

    /// Runs a stage while its newest count is passed on; none is left over when it returns.
    private func reporting<Value: Sendable>(
        _ event: @escaping @Sendable (StageProgress) -> AssetStateMachine.Event,
        _ stage: (@escaping AssetOperations.Report) async throws -> Value
    ) async throws -> Value {
        let (counts, continuation) = AsyncStream.makeStream(
            of: StageProgress.self, bufferingPolicy: .bufferingNewest(1))
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

    private func pass(on counts: AsyncStream<StageProgress>, as event: (StageProgress) -> AssetStateMachine.Event) async
    {
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

/// Many assets, a few at a time; the outcomes come in the order the sources were given.
///
/// One that fails does not stop the others. Cancelled, it cancels those at work, begins no further one, and returns
/// when all have ended; those that had begun still give their outcome.
package struct BatchCoordinator: Coordinator {
    /// How one source ended.
    package struct Outcome: Sendable, Hashable {
        /// Of the source, from 0.
        package let index: Int
        /// As it is shown to people (``SourceAddress/display(_:)``).
        package let source: String
        /// Under this name the pipeline has the product, until it is removed.
        package let asset: AssetID
        /// A settled state.
        package let state: AssetState
    }

    private let sources: [AssetSource]
    private let limit: Int
    private let pipeline: AssetPipeline
    private let deliver: @Sendable (Outcome) async -> Void

    /// - Parameters:
    ///   - limit: Assets at work at once, at least 1.
    ///   - deliver: Called once for each source that was begun, in their order, one after the other; while it runs no
    ///     further asset is begun. May remove the asset, so that long batches hold few products.
    package init(
        _ sources: [AssetSource], in pipeline: AssetPipeline, atMost limit: Int,
        deliver: @escaping @Sendable (Outcome) async -> Void
    ) {
        self.sources = sources
        self.pipeline = pipeline
        self.limit = limit
        self.deliver = deliver
    }

    package func start() async {
        await startChildren(count: sources.count, atMost: limit) { index -> AssetCoordinator? in
            // Only a pipeline that has ended refuses new assets; there is nothing more to begin then.
            (try? await pipeline.perform(.add(sources[index]))).map(pipeline.coordinator)
        } take: { index, asset in
            // An asset that was removed has no outcome.
            if let state = await pipeline.state(of: asset) {
                await deliver(
                    Outcome(index: index, source: sources[index].description, asset: asset, state: state))
            }
            return true
        }
    }
}
