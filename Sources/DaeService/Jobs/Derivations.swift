import DaeCore
import Daedalus
import Hummingbird
import Logging
import ServiceLifecycle

/// What can be made of an asset again at any time: made when it is first asked for, once for all who ask at once.
actor Derivations {
    enum Outcome: Sendable {
        case made
        case failed(FindingCode?, String)
        /// The worker ended before it was done.
        case died(AssetState.Reason)
        case queueIsFull
        /// No node that makes such things took it in time.
        case notTaken
        /// The asset was removed.
        case assetUnknown(AssetID)
    }

    private let tools: ServiceTools
    private var running: [String: Task<Outcome, Never>] = [:]
    /// How many of these have no worker yet.
    private var waiting = 0

    /// For which another node may let a request wait.
    private static let patience = Duration.seconds(10)

    init(_ tools: ServiceTools) { self.tools = tools }

    /// Whether what is asked for now would be made.
    var hasRoom: Bool { waiting < tools.settings.queueLimit }

    /// Lets a worker make something.
    ///
    /// - Parameters:
    ///   - key: Names what is made.
    ///   - place: Where the task's products go to.
    func make(
        _ key: String, _ task: WorkerOrder.Task, of asset: AssetRecord, into place: ResultPlace
    ) async throws -> Outcome {
        while let other = running[key] {
            let outcome = await other.value
            // It was asked for by an asset of equal bytes, which was removed since.
            guard case .assetUnknown(let id) = outcome, id != asset.id else { return outcome }
        }
        guard hasRoom else { return .queueIsFull }
        return await run(key) { [self] in
            guard tools.tasks.contains(.derive) else { return await madeElsewhere(key, task, asset, place) }
            waiting += 1
            await tools.places.acquireForRequest()
            waiting -= 1
            let outcome = await madeHere(task, asset, place)
            return await isRemoved(asset, after: outcome) ? .assetUnknown(asset.id) : outcome
        }
    }

    /// Whether that nothing was made is for want of the asset.
    private func isRemoved(_ asset: AssetRecord, after outcome: Outcome) async -> Bool {
        if case .made = outcome { return false }
        do { return try await tools.store.asset(asset.id) == nil } catch { return false }
    }

    /// Not in the caller's task: who asked first may leave, and others still wait.
    private func run(_ key: String, _ work: @escaping () async -> Outcome) async -> Outcome {
        let task = Task {
            let outcome = await work()
            running[key] = nil
            return outcome
        }
        running[key] = task
        return await task.value
    }

    /// Makes something in a place that was taken for it.
    private func madeHere(_ task: WorkerOrder.Task, _ asset: AssetRecord, _ place: ResultPlace) async -> Outcome {
        let start = AssetOperations.Instant.systemTime()
        let outcome = await made(task, asset, place)
        await note(outcome, task, asset, since: start)
        await tools.places.release()
        // A job may have waited for the place.
        tools.changes.notify()
        return outcome
    }

    // MARK: - Between nodes

    /// Lets another node make something.
    private func madeElsewhere(
        _ key: String, _ task: WorkerOrder.Task, _ asset: AssetRecord, _ place: ResultPlace
    ) async -> Outcome {
        let (requests, limit) = (tools.derivations, tools.settings.queueLimit)
        var (status, untaken): (DerivationRequests.Status?, _) = (nil, ContinuousClock.now)
        let notices = tools.changes.notices()
        // The first look is at once.
        tools.changes.notify()
        do {
            for await _ in notices {
                if status == nil {
                    switch try await requests.ask(key, task, of: asset.id, into: place, limit: limit) {
                    case .kept: break
                    case .queueIsFull: return .queueIsFull
                    case .assetUnknown: return .assetUnknown(asset.id)
                    }
                }
                status = try await requests.status(of: key)
                switch status {
                case .done(let outcome): return outcome
                case .taken: untaken = .now
                case .waiting, nil:
                    guard ContinuousClock.now - untaken < Self.patience else { return .notTaken }
                }
                // Each that waits asks by itself: the more there are, the less often.
                try await Task.sleep(for: .milliseconds(max(20, min(1000, running.count * 5))))
            }
        } catch { tools.log.error("asking other nodes: \(error)", metadata: ["asset": "\(asset.id)"]) }
        return .notTaken
    }

    /// Makes what another node is asked for, in a place that was taken for it.
    func make(_ claimed: DerivationRequests.Claimed) async {
        let requests = tools.derivations
        let renewal = Task {
            while (try? await Task.sleep(for: .seconds(5))) != nil { try? await requests.renew(claimed) }
        }
        let outcome: Outcome
        if let other = running[claimed.key] {
            await tools.places.release()
            outcome = await other.value
        } else {
            outcome = await run(claimed.key) { [self] in
                await madeHere(claimed.task, claimed.asset, claimed.place)
            }
        }
        renewal.cancel()
        do { try await requests.finish(claimed, outcome) } catch {
            tools.log.error("telling other nodes: \(error)", metadata: ["asset": "\(claimed.asset.id)"])
        }
    }

    private func note(_ outcome: Outcome, _ task: WorkerOrder.Task, _ asset: AssetRecord, since start: Int64) async {
        let (name, time) = (task.name, AssetOperations.Instant.systemTime() - start)
        tools.metrics.count(.workerStarts, ("task", name))
        tools.metrics.observe(.stageDuration, ("stage", name), milliseconds: time)
        if case .died(let reason) = outcome { tools.metrics.count(.workerFailures, ("code", reason.code.rawValue)) }
        tools.log.info(
            "made",
            metadata: [
                "asset": "\(asset.id)", "what": "\(name)", "outcome": "\(outcome.name)",
                "milliseconds": .stringConvertible(time),
            ])
        if let content = asset.content { await tools.disk.changed(content.digest) }
    }

    private func made(_ task: WorkerOrder.Task, _ asset: AssetRecord, _ place: ResultPlace) async -> Outcome {
        let limits = tools.settings.worker
        do {
            return try await tools.order(task, asset) { order in
                var outcome: Outcome?
                return try await WorkerProcess.run(order) { message in
                    switch message {
                    case .made: outcome = .made
                    case .failed(let code, let message): outcome = .failed(FindingCode(rawValue: code), message)
                    case .state, .content, .probed: break
                    }
                } finish: { end, complaint in
                    if !complaint.isEmpty {
                        tools.log.warning(
                            "a worker complained", metadata: ["asset": "\(asset.id)", "text": "\(complaint)"])
                    }
                    guard end == .exited(0), let outcome else { return .died(end.reason(limits)) }
                    // Where reading it fails there is a report alone, which is the first of them.
                    let needed = if case .process = order.task { 1 } else { order.task.products.count }
                    if case .made = outcome { try await tools.results.keep(order, place, needed: needed) }
                    return outcome
                }
            }
        } catch let error as StorageError where error.isFull {
            return .failed(.storageFull, "There is no room for what is made of it.")
        } catch let error as StorageError where error.code == EINVAL {
            return .died(WorkerFolder.fault)
        } catch { return .died(WorkerEnd.notStarted("\(error)").reason(limits)) }
    }
}

/// Takes what other nodes are asked for and do not make themselves, as its own node has places for it beside its own work.
struct DerivationTaker: Service {
    let tools: ServiceTools
    let derivations: Derivations
    /// This process.
    let owner: String

    func run() async throws {
        let requests = tools.derivations
        for await _ in tools.changes.notices().cancelOnGracefulShutdown() {
            guard !tools.phase.isStopping else { break }
            do {
                try await take(requests)
                // Notices may be many.
                try await Task.sleep(for: .milliseconds(50))
            } catch is CancellationError { break } catch { tools.log.error("taking from other nodes: \(error)") }
        }
        // Not this task, which may be cancelled: others go on with what is not done yet.
        do { try await Task { [owner] in try await requests.release(owner: owner) }.value } catch {
            tools.log.error("release: \(error)")
        }
        // Whoever ends before its turn is taken for broken.
        try? await gracefulShutdown()
    }

    private func take(_ requests: DerivationRequests) async throws {
        while !tools.phase.isStopping, try await requests.isAnyFree {
            // It waits its turn as what is asked for here does.
            await tools.places.acquireForRequest()
            let claimed: DerivationRequests.Claimed?
            do { claimed = tools.phase.isStopping ? nil : try await requests.claim(owner: owner) } catch {
                await tools.places.release()
                throw error
            }
            guard let claimed else { return await tools.places.release() }
            Task { await derivations.make(claimed) }
        }
    }
}

extension Derivations.Outcome {
    /// For logs: a code where there is one.
    var name: String {
        switch self {
        case .made: "made"
        case .failed(let code, _): code?.rawValue ?? "failed"
        case .died(let reason): reason.code.rawValue
        case .queueIsFull: "queue is full"
        case .notTaken: "not taken"
        case .assetUnknown: FindingCode.assetUnknown.rawValue
        }
    }

    /// Throws unless what was asked for is there.
    func check() throws(Problem) {
        switch self {
        case .made: break
        case .failed(.sourceNotFound, let message): throw Problem(.notFound, .sourceNotFound, message)
        case .failed(.storageFull, let message): throw Problem.noRoom(message)
        case .failed(let code, let message): throw Problem(.unprocessableContent, code, message)
        case .died(let reason) where reason.code == .storageFull: throw Problem.noRoom(reason.message)
        case .died(let reason) where reason.code == .workerKilled || reason.code == .workerLost:
            throw Problem(.serviceUnavailable, reason.code, reason.message, retryAfter: 10)
        case .died(let reason): throw Problem(.unprocessableContent, reason.code, reason.message)
        case .queueIsFull: throw Problem(.tooManyRequests, nil, "Too many wait for a worker already.", retryAfter: 5)
        case .assetUnknown(let id): throw Problem.unknown(id.text)
        case .notTaken:
            throw Problem(.serviceUnavailable, nil, "No node that makes this has a worker free for it.", retryAfter: 10)
        }
    }
}
