import DaeCore
import Daedalus
import Logging
import Synchronization

/// How a job's worker is ended from outside. A class because the dispatcher holds it while the run goes on.
final class JobHandle: Sendable {
    enum Phase: Sendable {
        case waiting
        case working(WorkerProcess)
        /// Another process, or this one after its next start, goes on with it.
        case handedBack
        /// Nobody wants it any more.
        case dropped
    }

    private let phase = Mutex(Phase.waiting)

    var isUnwanted: Bool {
        switch phase.withLock({ $0 }) {
        case .waiting, .working: false
        case .handedBack, .dropped: true
        }
    }

    /// Whether it may begin.
    func begin(_ worker: WorkerProcess) -> Bool {
        phase.withLock { phase in
            guard case .waiting = phase else { return false }
            phase = .working(worker)
            return true
        }
    }

    func end(as end: Phase) {
        let worker: WorkerProcess? = phase.withLock { phase in
            defer { phase = end }
            if case .working(let worker) = phase { return worker }
            return nil
        }
        worker?.kill(as: .killed(signal: 9))
    }
}

/// One job, from its claim to the asset's end. Each state is kept before anybody can see it; progress within one is seen and
/// not kept.
struct JobRun: Sendable {
    let job: Job
    let tools: ServiceTools
    let handle: JobHandle

    func run() async throws {
        var clock = StageClock(tools.metrics)
        let wait = AssetOperations.Instant.systemTime() - job.asset.changed
        tools.metrics.observe(.queueWait, milliseconds: wait)
        tools.log.info("taken", metadata: ["asset": "\(job.asset.id)", "waited": .stringConvertible(wait)])
        tools.changes.begin(job)
        defer { tools.changes.end(job) }
        // Of what ends the asset from here on the notifier hears; nothing is told of one that was ended before.
        guard try await tools.store.held(by: job.owner).contains(job.id) else { return }
        var content = job.asset.content
        try await run(&content, &clock)
        if let content { await tools.disk.changed(content.digest) }
    }

    private func run(_ content: inout StoredContent?, _ clock: inout StageClock) async throws {
        var state = job.asset.state
        switch job.history {
        case .new: break
        case .interrupted: state = AssetStateMachine.restore(state, source: .url(job.asset.source)).machine.state
        case .hopeless:
            let reason = AssetState.Reason(.ioError, "It was begun \(Job.mostClaims) times, and never came to an end.")
            return try await fail(reason, state, &clock)
        }
        // What nobody saw interrupted needs no other attempt.
        if let content, let known = try await known(content, [job.asset.state, state]) {
            _ = try await keep(known, &clock)
            return
        }
        if state != job.asset.state { guard try await keep(state, &clock) else { return } }
        guard case .downloading(let download) = state else { return }
        clock.move(to: state)
        let end = try await work(download, &state, &content, &clock)
        guard !state.isSettled, !handle.isUnwanted else { return }
        let reason: AssetState.Reason
        switch end {
        case .told(let told): reason = told
        case .silent(.killed) where tools.phase.isStopping:
            // Who stops the service may end by a signal what it started, too. The next start goes on with the asset.
            return try await tools.store.giveBack(job)
        case .silent(let end): reason = end.reason(tools.settings.worker)
        }
        tools.metrics.count(.workerFailures, ("code", reason.code.rawValue))
        tools.log.warning(
            "worker ended early",
            metadata: [
                "asset": "\(job.asset.id)", "code": "\(reason.code.rawValue)", "reason": "\(told(reason.message))",
                "milliseconds": .stringConvertible(clock.elapsed),
            ])
        try await fail(reason, state, &clock)
    }

    /// Ends the job by what is not the asset's fault: it may be tried again.
    private func fail(_ reason: AssetState.Reason, _ state: AssetState, _ clock: inout StageClock) async throws {
        var machine = AssetStateMachine(source: .url(job.asset.source), state: state)
        _ = try machine.handle(.failed(reason, .resume, attempt: state.attempt))
        _ = try await keep(machine.state, &clock)
    }

    /// How a worker ended before its asset did.
    private enum EarlyEnd {
        case told(AssetState.Reason)
        case silent(WorkerEnd)
    }

    /// Lets a worker take the asset to its end, and keeps what it says.
    private func work(
        _ download: AssetState.Download, _ state: inout AssetState, _ content: inout StoredContent?,
        _ clock: inout StageClock
    ) async throws -> EarlyEnd {
        let worker: WorkerProcess
        do { worker = try WorkerProcess(try await tools.order(.process(download), job.asset)) } catch let error
            as StorageError
        {
            return .silent(.notStarted(error.description))
        }
        // It is no longer needed, however this ends.
        defer { worker.kill(as: .killed(signal: SIGKILL)) }
        guard handle.begin(worker) else {
            return .silent(.killed(signal: SIGKILL))
        }
        var told: AssetState.Reason?
        tools.metrics.count(.workerStarts, ("task", "process"))
        let deadline = worker.deadline(tools.settings.worker)
        defer { deadline.cancel() }
        for await event in worker.events {
            switch event {
            case .message(.state(let next)):
                let isProgress = next.isProgress(of: state)
                state = next
                if isProgress {
                    try tools.changes.progress(next, of: job, at: AssetOperations.Instant.systemTime())
                } else if !(try await keep(next, &clock)) {
                    handle.end(as: .dropped)
                }
            case .message(.content(let file, let sha256, let bytes, let name)):
                guard let digest = SHA256Digest(hex: sha256) else { continue }
                // It is among the originals then, or not wanted.
                defer { unlink(file) }
                let found = await Thread.run {
                    StoredContent(digest: digest, bytes: bytes, name: FileName.clean(name), in: file)
                }
                if try blob(of: found) == nil, let fault = try await tools.disk.fault(adding: bytes, beside: .originals)
                {
                    handle.end(as: .dropped)
                    try await fail(AssetState.Reason(.storageFull, fault), state, &clock)
                    continue
                }
                let blobs = tools.blobs
                tools.metrics.count(.downloaded, by: bytes)
                await tools.disk.downloaded()
                content = found
                switch try await tools.store.save(found, of: job, storing: { try blobs.adopt(file, as: digest) }) {
                case .kept:
                    guard let known = try await known(found, [state]) else {
                        worker.goOn()
                        continue
                    }
                    handle.end(as: .dropped)
                    _ = try await keep(known, &clock)
                case .isReadElsewhere:
                    // Taken up again behind the other, whose results it then has.
                    handle.end(as: .handedBack)
                    try await tools.store.giveBack(job)
                case .notHeld: handle.end(as: .dropped)
                }
            case .message(.failed(let code, let message)):
                told = AssetState.Reason(FindingCode(rawValue: code) ?? .ioError, message)
            case .message(.made): break
            case .ended(let end): return told.map { .told($0) } ?? .silent(end)
            }
        }
        return .silent(.notStarted("it said nothing"))
    }

    /// What was read of these bytes before, behind the first of some states that it can follow.
    private func known(_ content: StoredContent, _ states: [AssetState]) async throws -> AssetState? {
        let (results, source) = (tools.results, job.asset.source)
        let known = try await Thread.run {
            try states.lazy.compactMap { try results.state(of: content, after: $0, source: source) }.first
        }
        tools.metrics.look(.contents, isHit: known != nil)
        return known
    }

    private func blob(of content: StoredContent) throws -> String? { try tools.blobs.file(content.digest) }

    private func keep(_ state: AssetState, _ clock: inout StageClock) async throws -> Bool {
        let isHeld = try await tools.store.save(state, of: job)
        guard isHeld else { return false }
        tools.changes.notify()
        clock.move(to: state)
        if state.isSettled { tell(state, clock) }
        return true
    }

    /// A message as the log may have it.
    private func told(_ message: String) -> String { LinkSecret.hidden(in: message, about: job.asset.source) }

    private func tell(_ state: AssetState, _ clock: StageClock) {
        var metadata: Logger.Metadata = [
            "asset": "\(job.asset.id)", "state": "\(state.kind.rawValue)",
            "attempt": .stringConvertible(state.attempt.number),
            "milliseconds": .stringConvertible(clock.elapsed),
        ]
        guard let failure = state.failure else { return tools.log.info("settled", metadata: metadata) }
        metadata["code"] = "\(failure.code.rawValue)"
        metadata["stage"] = "\(failure.stage.rawValue)"
        metadata["reason"] = "\(told(failure.message))"
        tools.log.notice("settled", metadata: metadata)
    }
}

/// Measures how long an asset is in each stage.
private struct StageClock {
    private let metrics: ServiceMetrics
    private var stage: AssetStage?
    private var since = AssetOperations.Instant.systemTime()
    private let began = AssetOperations.Instant.systemTime()

    init(_ metrics: ServiceMetrics) { self.metrics = metrics }

    /// Milliseconds from its start.
    var elapsed: Int64 { AssetOperations.Instant.systemTime() - began }

    mutating func move(to state: AssetState) {
        guard state.stage != stage else { return }
        let now = AssetOperations.Instant.systemTime()
        if let stage { metrics.observe(.stageDuration, ("stage", stage.rawValue), milliseconds: now - since) }
        (stage, since) = (state.stage, now)
        guard state.isSettled else { return }
        metrics.count(.settled, ("state", state.kind.rawValue))
        if let failure = state.failure { metrics.count(.failures, ("code", failure.code.rawValue)) }
    }
}
