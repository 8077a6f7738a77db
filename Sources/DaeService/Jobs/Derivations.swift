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
    ///   - output: Where it goes to; its folder is made.
    func make(_ key: String, _ task: WorkerOrder.Task, of asset: AssetRecord, output: String) async throws -> Outcome {
        if let other = running[key] { return await other.value }
        guard hasRoom else { return .queueIsFull }
        // Not the caller's task: who asked first may leave, and others still wait.
        let work = Task {
            waiting += 1
            await tools.places.takeForRequest()
            waiting -= 1
            let start = AssetOperations.Instant.systemTime()
            let outcome = await made(task, asset, output)
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

    private func made(_ task: WorkerOrder.Task, _ asset: AssetRecord, _ output: String) async -> Outcome {
        let limits = tools.settings.worker
        let worker: WorkerProcess
        do { worker = try WorkerProcess(try await tools.order(task, asset, output: output)) } catch {
            return .died(WorkerEnd.notStarted("\(error)").reason(limits))
        }
        let deadline = worker.deadline(limits)
        defer { deadline.cancel() }
        var outcome: Outcome?
        for await event in worker.events {
            switch event {
            case .message(.made): outcome = .made
            case .message(.failed(let code, let message)): outcome = .failed(FindingCode(rawValue: code), message)
            case .message(.state), .message(.content): break
            case .ended(let end): return outcome ?? .died(end.reason(limits))
            }
        }
        return outcome ?? .died(WorkerEnd.notStarted("it said nothing").reason(limits))
    }
}

extension WorkerOrder.Task {
    /// For logs and figures.
    var name: String {
        switch self {
        case .process: "read"
        case .report: "report"
        case .model: "model"
        case .picture: "picture"
        case .entry: "entry"
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
