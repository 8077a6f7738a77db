import DaeCore
import Daedalus
import Hummingbird
import Logging

/// What can be made of an asset again at any time: made when it is first asked for, once for all who ask at once.
actor Derivations {
    enum Outcome: Sendable {
        case made
        case failed(FindingCode?, String)
        /// The worker ended before it was done.
        case died(AssetState.Reason)
        case queueIsFull
    }

    private let tools: ServiceTools
    private var running: [String: Task<Outcome, Never>] = [:]
    /// How many of these have no worker yet.
    private var waiting = 0

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
        if let other = running[key] { return await other.value }
        guard hasRoom else { return .queueIsFull }
        // Not the caller's task: who asked first may leave, and others still wait.
        let work = Task {
            waiting += 1
            await tools.places.takeForRequest()
            waiting -= 1
            let start = AssetOperations.Instant.systemTime()
            let outcome = await made(task, asset, place)
            await note(outcome, task, asset, since: start)
            await tools.places.give()
            // A job may have waited for the place.
            tools.changes.notify()
            return outcome
        }
        running[key] = work
        let outcome = await work.value
        running[key] = nil
        return outcome
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

extension Derivations.Outcome {
    /// For logs: a code where there is one.
    var name: String {
        switch self {
        case .made: "made"
        case .failed(let code, _): code?.rawValue ?? "failed"
        case .died(let reason): reason.code.rawValue
        case .queueIsFull: "queue is full"
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
        }
    }
}
