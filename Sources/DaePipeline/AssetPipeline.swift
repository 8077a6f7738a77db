// No method that decides has an `await` in it: whoever comes next finds the state final, the effect begun and the
// observers told. Waiting is done in methods of its own.

public import DaeDiagnostics
public import DaeMesh
public import DaeScene

/// Takes assets from an address to a scene, many at once; holds their states and products.
///
/// What a person asks for comes in by ``perform(_:)``; it and what workers report end in the asset's own state machine.
/// The pipeline runs its effects, but for those that answer an attempt's own report: that attempt goes on with them.
/// Each asset at work has one task, so two attempts at one asset never overlap; ``end()`` waits for all of them.
public actor AssetPipeline {
    /// A task that works for an asset; later ones of the same asset wait for it.
    private struct Worker {
        let number: Int
        let task: Task<Void, Never>
    }

    private enum Phase {
        case open, ended
    }

    nonisolated let operations: AssetOperations
    private let observers = Observers()
    private var phase = Phase.open
    private var machines: [AssetID: AssetStateMachine] = [:]
    /// Keys of `machines`, in the order they came.
    private var order: [AssetID] = []
    private var products: [AssetID: Model] = [:]
    /// What was found of assets before they failed.
    private var findings: [AssetID: FindingLog] = [:]
    /// The newest outcome of each asset that was converted.
    private var conversions: [AssetID: Result<FidelityReport, any Error>] = [:]
    private var workers: [AssetID: Worker] = [:]
    private var workersBegun = 0
    private let places: WorkPlaces
    private var actionsPerformed: Int64 = 0

    /// - Parameter limit: Assets at work at once, at least 1; others wait in the order they came. `nil` for as many as
    ///   there are.
    public init(operations: AssetOperations, atMost limit: Int? = nil) {
        self.operations = operations
        places = WorkPlaces(limit.map { max(1, $0) } ?? .max)
    }
}

// MARK: - The way in

extension AssetPipeline {
    /// Takes an action and begins what follows from it; the work itself goes on behind.
    ///
    /// Cancelling what has settled is no mistake: the first outcome stands. Of a ready asset it stops the conversions that
    /// are under way.
    ///
    /// - Returns: The asset it was about, the new one's name for an `add`.
    /// - Throws: `ASSET_UNKNOWN`; `ASSET_ACTION_REFUSED` for what `availableActions` does not name, for `convert` where
    ///   there is no place for models or no scene in this run, and for new work after ``end()``.
    @discardableResult
    public func perform(_ action: AssetAction) throws(CodedFailure) -> AssetID {
        let asset: AssetID
        switch action {
        case .add(let source):
            asset = operations.instant.makeID()
            try admit(AssetStateMachine.begin(source: source), as: asset)
        case .retry(let id):
            guard phase == .open else { throw .closed }
            try handle(action, for: id)
            asset = id
        case .convert(let id):
            guard phase == .open else { throw .closed }
            try checkConversion(of: id)
            try handle(action, for: id)
            asset = id
        case .cancel(let id):
            try handle(action, for: id)
            // What is made of a ready asset is no state that could be left.
            if machines[id]?.state.isReady == true { workers[id]?.task.cancel() }
            asset = id
        case .remove(let id):
            try remove(id)
            asset = id
        }
        actionsPerformed += 1
        observers.publish(
            PerformedAction(number: actionsPerformed, action: action, asset: asset, at: operations.instant.now()))
        return asset
    }

    /// Takes up an asset whose state was kept while nothing ran; what was under way begins again.
    ///
    /// - Throws: `ASSET_ACTION_REFUSED` when there is an asset of this name, and after ``end()``.
    public func restore(_ state: AssetState, source: AssetSource, as id: AssetID) throws(CodedFailure) {
        try admit(AssetStateMachine.restore(state, source: source), as: id)
    }

    /// Takes up an asset whose next attempt was decided elsewhere, and begins with just that.
    ///
    /// - Throws: `ASSET_ACTION_REFUSED` when there is an asset of this name, and after ``end()``.
    package func take(
        _ download: AssetState.Download, source: AssetSource, as id: AssetID
    ) throws(CodedFailure) {
        let machine = AssetStateMachine(source: source, state: .downloading(download))
        try admit((machine, .download(download)), as: id)
    }

    /// A worker's report; the effect is the worker's next stage.
    ///
    /// Reports of an asset that was removed are answered by `.none`, like those of an old attempt.
    func send(_ event: AssetStateMachine.Event, to id: AssetID) throws(AssetStateMachine.UnexpectedEvent)
        -> AssetStateMachine.Effect
    {
        guard let before = machines[id]?.state else { return .none }
        let effect = try machines[id]?.handle(event) ?? .none
        if let after = machines[id]?.state, after != before { observers.publish(after, of: id) }
        return effect
    }

    /// A worker's last report, with what it made.
    func send(_ product: Model, to id: AssetID, attempt: Attempt) throws(AssetStateMachine.UnexpectedEvent) {
        guard try send(.parsed(product.summary, attempt: attempt), to: id) == .keep else { return }
        products[id] = product
    }

    /// Keeps what was found of an asset before its stage failed.
    func keep(_ found: FindingLog, of id: AssetID) {
        if machines[id] != nil { findings[id] = found }
    }

    /// Stops all work, waits until none is left, and ends all sequences. States and products can still be read.
    public func end() async {
        phase = .ended
        for id in order { stop(id) }
        while let worker = workers.values.first { await worker.task.value }
        observers.close()
    }
}

// MARK: - What there is

extension AssetPipeline {
    /// All assets, in the order they came.
    public var assets: [AssetID] { order }

    /// `nil` for an asset there is not.
    public func state(of id: AssetID) -> AssetState? { machines[id]?.state }

    /// As it was given; `nil` for an asset there is not.
    public func source(of id: AssetID) -> AssetSource? { machines[id]?.source }

    /// What parsing made; `nil` unless the asset is ready and was made in this run.
    public func model(of id: AssetID) -> Dae.Model? { products[id] }

    /// What the newest `convert` of an asset changed; waits for those that are under way.
    ///
    /// - Returns: `nil` where none was taken.
    /// - Throws: Why the model was not written, a ``SceneExportError`` of the live operations; `CancellationError`.
    public func conversion(of id: AssetID) async throws -> FidelityReport? {
        await rest(of: id)
        return try conversions[id]?.get()
    }

    /// What was odd about an asset: of one that failed as far as it was read.
    public func findings(of id: AssetID) -> FindingLog {
        products[id]?.inspection.findings ?? findings[id] ?? FindingLog()
    }

    /// The present state, those that follow, and last the one in which the asset settles.
    ///
    /// Of states that come faster than they are read only the newest is kept. Empty for an asset there is not.
    public func states(of id: AssetID) -> some AsyncSequence<AssetState, Never> & Sendable {
        guard let state = machines[id]?.state else { return AsyncStream { $0.finish() } }
        return observers.watch(id, present: state)
    }

    /// The present state of every asset, then every change, until the pipeline ends.
    ///
    /// Of one asset's states that come faster than they are read only the newest is kept, and beside it the last
    /// outcome. For one reader: each call makes a sequence of its own.
    public var states: some AsyncSequence<AssetUpdate, Never> & Sendable {
        let present = order.compactMap { id in machines[id].map { AssetUpdate(asset: id, state: $0.state) } }
        let updates = observers.watchAll(present: present)
        if phase == .ended { observers.close() }
        return updates
    }

    /// Every action taken from now on, until the pipeline ends; one that is 1024 behind misses the oldest.
    public var actions: some AsyncSequence<PerformedAction, Never> & Sendable {
        let actions = observers.watchActions()
        if phase == .ended { observers.close() }
        return actions
    }

    /// Waits until the asset has settled; `nil` when the waiting task was cancelled first, and for an asset there is not.
    public func outcome(of id: AssetID) async -> AssetState? {
        for await state in states(of: id) where state.isSettled { return state }
        return nil
    }

    /// Waits until nothing works for the asset any more, whether or not the waiting task is cancelled.
    package func rest(of id: AssetID) async {
        while let worker = workers[id] { await worker.task.value }
    }

    /// The flow of one asset.
    package nonisolated func coordinator(of id: AssetID) -> AssetCoordinator {
        AssetCoordinator(asset: id, pipeline: self)
    }

    var observerCount: Int { observers.count }
}

// MARK: - Effects

extension AssetPipeline {
    private func admit(
        _ beginning: (machine: AssetStateMachine, effect: AssetStateMachine.Effect), as id: AssetID
    ) throws(CodedFailure) {
        guard phase == .open else { throw .closed }
        // A worker may outlive its asset for a moment; its name is free when both are gone.
        guard machines[id] == nil, workers[id] == nil else { throw .taken(id) }
        machines[id] = beginning.machine
        order.append(id)
        observers.publish(beginning.machine.state, of: id)
        run(beginning.effect, for: id)
    }

    private func handle(_ action: AssetAction, for id: AssetID) throws(CodedFailure) {
        guard let state = machines[id]?.state else { throw .unknown(id) }
        guard let event = action.event else { return }
        do {
            run(try send(event, to: id), for: id)
        } catch {
            throw .refused(action.kind, in: state)
        }
    }

    private func stop(_ id: AssetID) {
        // Cancelling has an answer in every state.
        if let effect = try? send(.cancel, to: id) { run(effect, for: id) }
        workers[id]?.task.cancel()
    }

    private func remove(_ id: AssetID) throws(CodedFailure) {
        guard machines[id] != nil else { throw .unknown(id) }
        stop(id)
        machines[id] = nil
        products[id] = nil
        conversions[id] = nil
        findings[id] = nil
        order.removeAll { $0 == id }
    }

    private func run(_ effect: AssetStateMachine.Effect, for id: AssetID) {
        switch effect {
        case .download(let download):
            guard let source = machines[id]?.source else { return }
            let coordinator = coordinator(of: id)
            follow(id) { [places] in
                // One that was cancelled while it waited ends as any other, and needs no place for that.
                let hasPlace = await places.enter()
                await coordinator.attempt(download, at: source)
                if hasPlace { places.leave() }
            }
        case .convert:
            guard let product = products[id], let convert = operations.convert else { return }
            follow(id) { [weak self] in
                let outcome: Result<FidelityReport, any Error>
                do { outcome = .success(try await convert(id, product)) } catch { outcome = .failure(error) }
                await self?.keep(outcome, of: id)
            }
        case .stop: workers[id]?.task.cancel()
        case .none, .unzip, .parse, .keep: break  // the attempt's own task goes on with them
        }
    }

    /// Refuses what the state would allow, but the pipeline cannot do.
    private func checkConversion(of id: AssetID) throws(CodedFailure) {
        guard let state = machines[id]?.state, state.isReady else { return }
        guard operations.convert != nil else { throw .cannotConvert("this pipeline has no place for models") }
        guard products[id] != nil else { throw .cannotConvert("its scene was read in an earlier run and is not here") }
    }

    private func keep(_ outcome: Result<FidelityReport, any Error>, of id: AssetID) {
        if machines[id] != nil { conversions[id] = outcome }
    }

    /// Begins work for an asset as soon as its earlier work, stopped or not, has ended.
    private func follow(_ id: AssetID, _ work: @escaping @Sendable () async -> Void) {
        workersBegun += 1
        let number = workersBegun
        let earlier = workers[id]?.task
        let task = Task {
            // Who stops an asset knows its newest work alone.
            await withTaskCancellationHandler {
                await earlier?.value
            } onCancel: {
                earlier?.cancel()
            }
            await work()
            if workers[id]?.number == number { workers[id] = nil }
        }
        workers[id] = Worker(number: number, task: task)
    }
}

// Why an action was not taken; nothing has changed then.
extension CodedFailure {
    fileprivate static func unknown(_ id: AssetID) -> CodedFailure {
        CodedFailure(.assetUnknown, "There is no asset '\(id)'.")
    }

    fileprivate static func refused(_ kind: AssetAction.Kind, in state: AssetState) -> CodedFailure {
        let allowed = state.availableActions.map(\.rawValue).joined(separator: ", ")
        return CodedFailure(
            .assetActionRefused,
            "'\(kind.rawValue)' is not possible while the asset is \(state.title.lowercased()); possible: \(allowed)."
        )
    }

    fileprivate static func cannotConvert(_ reason: String) -> CodedFailure {
        CodedFailure(.assetActionRefused, "'convert' is not possible: \(reason).")
    }

    fileprivate static let closed = CodedFailure(.assetActionRefused, "The pipeline has ended.")

    fileprivate static func taken(_ id: AssetID) -> CodedFailure {
        CodedFailure(.assetActionRefused, "There is an asset '\(id)' already.")
    }
}
