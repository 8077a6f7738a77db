import DaeDiagnostics
import DaeDownload

/// Owns a flow and the flows inside it; they end with it.
///
/// What is required is small; the extension is what another language would put into a base class.
package protocol Coordinator: Sendable {
    /// The flows inside this one that have begun and not ended, in the order they were begun.
    var children: [any Coordinator] { get async }

    /// Runs the flow to its end.
    ///
    /// Once the task it is called in is cancelled, it ends its children, waits for them, and returns soon.
    func start() async
}

extension Coordinator {
    /// None: most flows are leaves.
    package var children: [any Coordinator] { get async { [] } }

    /// Starts children side by side, in order, and returns when all have ended.
    ///
    /// They run as child tasks, so cancelling this flow cancels them; no further one is begun then.
    ///
    /// - Parameters:
    ///   - count: Children in all.
    ///   - limit: Children at work at once, at least 1.
    ///   - begin: Makes the child of an index, from 0; called one after the other. `nil`: no further one is begun.
    ///   - ended: Told of each child that has ended, in the order they end; while it runs no further one is begun.
    package func startChildren<Child: Coordinator>(
        count: Int, atMost limit: Int, begin: (_ index: Int) async -> Child?,
        ended: (_ index: Int, _ child: Child) async -> Void
    ) async {
        await withTaskGroup(of: (index: Int, child: Child).self) { group in
            var rest = 0..<max(0, count)
            for _ in 0..<min(max(1, limit), rest.count) {
                await startNext(of: &rest, in: &group, begin)
            }
            while let (index, child) = await group.next() {
                await startNext(of: &rest, in: &group, begin)
                await ended(index, child)
            }
        }
    }

    private func startNext<Child: Coordinator>(
        of rest: inout Range<Int>, in group: inout TaskGroup<(index: Int, child: Child)>,
        _ begin: (Int) async -> Child?
    ) async {
        guard !Task.isCancelled, let index = rest.popFirst() else { return }
        guard let child = await begin(index) else {
            rest = rest.upperBound..<rest.upperBound
            return
        }
        group.addTask {
            await child.start()
            return (index, child)
        }
    }
}

// A straight line through the stages: each stage's result is a local value, so nothing is optional and nothing can be
// used before it is there.

/// One asset on its way through its stages.
package struct AssetCoordinator: Coordinator {
    package let asset: AssetID
    let pipeline: AssetPipeline

    /// Returns once the asset has settled and nothing works for it any more; cancelled, it cancels the asset.
    package func start() async {
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

/// Many assets, a few at a time; the outcomes come in the order the sources were given.
///
/// One that fails does not stop the others. Cancelled, it cancels those at work, begins no further one, and returns
/// when all have ended; those that had begun still give their outcome.
package actor BatchCoordinator: Coordinator {
    /// How one source ended.
    package struct Outcome: Sendable, Hashable {
        /// Of the source, from 0.
        package let index: Int
        /// As it is shown to people (``AssetSource/display(_:)``).
        package let source: String
        /// Under this name the pipeline has the product, until it is removed.
        package let asset: AssetID
        /// A settled state.
        package let state: AssetState
    }

    private enum Slot {
        case ended(Outcome)
        /// The asset was removed before it settled.
        case removed
    }

    private let sources: [String]
    private let limit: Int
    private let pipeline: AssetPipeline
    private let deliver: @Sendable (Outcome) async -> Void
    private var running: [Int: AssetCoordinator] = [:]
    /// Ended, but an earlier one has not.
    private var held: [Int: Slot] = [:]
    private var delivered = 0

    /// - Parameters:
    ///   - limit: Assets at work at once, at least 1.
    ///   - deliver: Called once for each source that was begun, in their order, one after the other; while it runs no
    ///     further asset is begun. May remove the asset, so that long batches hold few products.
    package init(
        _ sources: [String], in pipeline: AssetPipeline, atMost limit: Int,
        deliver: @escaping @Sendable (Outcome) async -> Void
    ) {
        self.sources = sources
        self.pipeline = pipeline
        self.limit = limit
        self.deliver = deliver
    }

    package var children: [any Coordinator] { running.sorted { $0.key < $1.key }.map(\.value) }

    /// For one call.
    package func start() async {
        await startChildren(count: sources.count, atMost: limit, begin: begin, ended: ended)
    }

    private func begin(_ index: Int) async -> AssetCoordinator? {
        // Only a pipeline that has ended refuses new assets; there is nothing more to begin then.
        guard let asset = try? await pipeline.perform(.add(source: sources[index])) else { return nil }
        let child = pipeline.coordinator(of: asset)
        running[index] = child
        return child
    }

    private func ended(_ index: Int, _ child: AssetCoordinator) async {
        let state = await pipeline.state(of: child.asset)
        running[index] = nil
        held[index] =
            state.map {
                .ended(
                    Outcome(index: index, source: AssetSource.display(sources[index]), asset: child.asset, state: $0))
            } ?? .removed
        while let slot = held.removeValue(forKey: delivered) {
            delivered += 1
            switch slot {
            case .ended(let outcome): await deliver(outcome)
            case .removed: break
            }
        }
    }
}
