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

    /// Whether a worker may begin, the first or the next.
    func begin(_ worker: WorkerProcess) -> Bool {
        phase.withLock { phase in
            switch phase {
            case .waiting, .working:
                phase = .working(worker)
                return true
            case .handedBack, .dropped: return false
            }
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

    /// Claims of a job, two for each download, up to which what is lost is downloaded again elsewhere.
    private static let mostDownloads = 10

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
        guard let end = try await work(download, &state, &content, &clock), !handle.isUnwanted else { return }
        let reason: AssetState.Reason
        switch end {
        case .reported(let reported): reason = reported
        case .silent(.killed) where tools.phase.isStopping:
            // Who stops the service may end by a signal what it started, too. The next start goes on with the asset.
            return try await tools.store.release(job)
        case .silent(let end): reason = end.reason(tools.settings.worker)
        }
        tools.metrics.count(.workerFailures, ("code", reason.code.rawValue))
        tools.log.warning(
            "worker ended early",
            metadata: [
                "asset": "\(job.asset.id)", "code": "\(reason.code.rawValue)", "reason": "\(redacted(reason.message))",
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

    // MARK: - Workers

    /// How a worker ended before its asset did.
    private enum EarlyEnd {
        case reported(AssetState.Reason)
        case silent(WorkerEnd)
    }

    /// What a worker said last beside the states on the way.
    private enum Answer {
        case none
        case settled(AssetState)
        /// The bytes are here, under this name of theirs.
        case content(name: String)
        case failed(AssetState.Reason)

        func early(_ end: WorkerEnd) -> EarlyEnd {
            switch self {
            case .failed(let reason): .reported(reason)
            case .none, .settled, .content: .silent(end)
            }
        }
    }

    /// Lets workers take the asset to its end, and keeps what comes of it; `nil` where nothing is left to be said of it.
    private func work(
        _ download: AssetState.Download, _ state: inout AssetState, _ content: inout StoredContent?,
        _ clock: inout StageClock
    ) async throws -> EarlyEnd? {
        if try await !isHere(content) {
            guard tools.tasks.contains(.download) else { return try await passOn(&content) }
            switch try await fetch(download, &state, &content, &clock) {
            case .early(let end): return end
            case .over: return nil
            case .whole: break
            }
        }
        guard let content, case .downloading(let download) = state else { return nil }
        return try await read(content, download, &state, &clock)
    }

    /// Leaves what is to be downloaded again to a node that downloads.
    private func passOn(_ content: inout StoredContent?) async throws -> EarlyEnd? {
        switch job.asset.origin {
        case .upload:
            return .reported(AssetState.Reason(.ioError, "Its bytes are lost, and nobody can bring them again."))
        case .address: break
        }
        // Whoever sees another store than the one that downloads would send it there and back for ever.
        guard job.claims <= Self.mostDownloads else {
            return .reported(AssetState.Reason(.ioError, "Its bytes were downloaded, and lost, again and again."))
        }
        tools.log.warning("bytes are lost, and downloaded again", metadata: ["asset": "\(job.asset.id)"])
        handle.end(as: .handedBack)
        content = nil
        if let unused = try await tools.store.forgetContent(of: job) { await tools.discard(unused) }
        tools.changes.notify()
        return nil
    }

    private func isHere(_ content: StoredContent?) async throws -> Bool {
        guard let content else { return false }
        return try await tools.intake.presence(content).isHere
    }

    private enum Fetched {
        /// The bytes are here, and are to be read.
        case whole
        case over
        case early(EarlyEnd)
    }

    /// Lets a worker that has the network bring the bytes here.
    private func fetch(
        _ download: AssetState.Download, _ state: inout AssetState, _ content: inout StoredContent?,
        _ clock: inout StageClock
    ) async throws -> Fetched {
        try await ordered(.download(download), job.asset) { order in
            try ServiceFolder.make(order.downloads)
            return try await fetch(order, &state, &content, &clock)
        }
    }

    private func fetch(
        _ order: WorkerOrder, _ state: inout AssetState, _ content: inout StoredContent?, _ clock: inout StageClock
    ) async throws -> Fetched {
        var answer = Answer.none
        return try await WorkerProcess.run(order, begin: handle.begin) { message in
            try await hear(message, of: order, &answer, &state, &clock)
        } finish: { end, complaint in
            note(complaint)
            guard end == .exited(0), !handle.isUnwanted else { return .early(answer.early(end)) }
            switch answer {
            case .settled(let settled):
                state = settled
                _ = try await keep(settled, &clock)
                return .over
            case .content(let name):
                let found: StoredContent?
                do { found = try await received(order, name) } catch let error as StorageError {
                    return .early(try early(error))
                }
                guard let found else { return .early(answer.early(end)) }
                content = found
                return try await keepContent(found, order, state, &clock) ? .whole : .over
            case .none, .failed: return .early(answer.early(end))
            }
        }
    }

    /// Lets a worker that has nothing but the bytes read them.
    private func read(
        _ content: StoredContent, _ download: AssetState.Download, _ state: inout AssetState,
        _ clock: inout StageClock
    ) async throws -> EarlyEnd? {
        var asset = job.asset
        asset.content = content
        return try await ordered(.process(download), asset) { order in
            try await read(content, order, &state, &clock)
        }
    }

    private func read(
        _ content: StoredContent, _ order: WorkerOrder, _ state: inout AssetState, _ clock: inout StageClock
    ) async throws -> EarlyEnd? {
        var answer = Answer.none
        return try await WorkerProcess.run(order, begin: handle.begin) { message in
            try await hear(message, of: order, &answer, &state, &clock)
        } finish: { end, complaint in
            note(complaint)
            guard end == .exited(0), !handle.isUnwanted, case .settled(let settled) = answer else {
                return answer.early(end)
            }
            do { try await keepReadings(of: content, order, settled) } catch let error as StorageError {
                return try early(error)
            }
            state = settled
            _ = try await keep(settled, &clock)
            return nil
        }
    }

    /// What it says of the asset that a worker's files could not be taken; another fault is not the asset's.
    private func early(_ error: StorageError) throws(StorageError) -> EarlyEnd {
        if error.isFull {
            return .reported(AssetState.Reason(.storageFull, "There is no room for what is made of it."))
        }
        guard error.code == EINVAL else { throw error }
        return .reported(WorkerFolder.fault)
    }

    private func ordered<Value: Sendable>(
        _ task: WorkerOrder.Task, _ asset: AssetRecord, _ body: (WorkerOrder) async throws -> Value
    ) async throws -> Value {
        tools.metrics.count(.workerStarts, ("task", task.name))
        return try await tools.order(task, asset, body)
    }

    private func hear(
        _ message: WorkerMessage, of order: WorkerOrder, _ answer: inout Answer, _ state: inout AssetState,
        _ clock: inout StageClock
    ) async throws {
        switch message {
        case .state(let next):
            // What cannot follow, or is not this task's to say, no worker of ours says.
            guard next.attempt == state.attempt, next.rank >= state.rank, order.task.mayLead(to: next) else { return }
            guard !next.isSettled else {
                // What it left is looked at first, once it is gone.
                answer = .settled(next)
                return
            }
            let isProgress = next.isProgress(of: state)
            state = next
            if isProgress {
                try tools.changes.progress(next, of: job, at: AssetOperations.Instant.systemTime())
            } else if !(try await keep(next, &clock)) {
                handle.end(as: .dropped)
            }
        case .content(let name): answer = .content(name: name)
        case .failed(let code, let message):
            answer = .failed(AssetState.Reason(FindingCode(rawValue: code) ?? .ioError, message))
        case .made, .probed: break
        }
    }

    private func note(_ complaint: String) {
        guard !complaint.isEmpty else { return }
        tools.log.warning(
            "a worker complained", metadata: ["asset": "\(job.asset.id)", "text": "\(redacted(complaint))"])
    }

    // MARK: - What workers leave

    /// The bytes that a worker brought here; `nil` where there are none. What they are is not the worker's to say.
    private func received(_ order: WorkerOrder, _ name: String) async throws -> StoredContent? {
        let (folder, limit) = (order.folder, order.contentLimit)
        return try await Thread.run {
            guard try folder.isLeft(WorkerFolder.content, limit: limit) else { return nil }
            let file = folder.file(WorkerFolder.content)
            return StoredContent(
                digest: try FileDigest.of(file), bytes: FileMetadata(file)?.size ?? 0, name: FileName.clean(name),
                in: file)
        }
    }

    /// Keeps bytes as the asset's; whether they are to be read now.
    private func keepContent(
        _ content: StoredContent, _ order: WorkerOrder, _ state: AssetState, _ clock: inout StageClock
    ) async throws -> Bool {
        let presence = try await tools.intake.presence(content)
        if !presence.isHere, let fault = try await tools.disk.fault(adding: content.bytes, beside: .originals) {
            try await fail(AssetState.Reason(.storageFull, fault), state, &clock)
            return false
        }
        tools.metrics.count(.downloaded, by: content.bytes)
        let admission: ContentAdmission
        do {
            admission = try await tools.intake.put(
                content, from: order.folder.file(WorkerFolder.content), presence
            ) { try await tools.store.save(content, of: job, bytes: $0) }
        } catch let fault as QuotaFault {
            try await fail(
                AssetState.Reason(
                    .downloadTooLarge,
                    "Its \(content.bytes) bytes are more than its token may have: "
                        + "\(fault.used) of \(fault.allowed) are used."), state, &clock)
            return false
        }
        switch admission {
        case .kept where !tools.tasks.contains(.process), .isReadElsewhere where !tools.tasks.contains(.process):
            await Thread.run { ServiceFolder.remove(order.downloads) }
            handle.end(as: .handedBack)
            try await tools.store.handOver(job, in: state)
            tools.changes.notify()
        case .kept:
            await Thread.run { ServiceFolder.remove(order.downloads) }
            guard let known = try await known(content, [state]) else { return true }
            _ = try await keep(known, &clock)
        case .isReadElsewhere:
            // Taken up again behind the other, whose results it then has.
            handle.end(as: .handedBack)
            try await tools.store.release(job)
        case .notHeld: handle.end(as: .dropped)
        case .lacksBytes: throw StorageError("the asset's bytes", ENOENT)
        }
        return false
    }

    private func keepReadings(of content: StoredContent, _ order: WorkerOrder, _ outcome: AssetState) async throws {
        // Of what failed there may be none.
        let needed = outcome.failure == nil ? order.task.products.count : 0
        try await tools.results.keep(order, ResultPlace(content: content.key), needed: needed)
        try await tools.results.keep(outcome, of: content.key)
    }

    /// What was read of these bytes before, behind the first of some states that it can follow.
    private func known(_ content: StoredContent, _ states: [AssetState]) async throws -> AssetState? {
        let known = try await tools.results.state(of: content, after: states, source: job.asset.source)
        tools.metrics.look(.contents, isHit: known != nil)
        return known
    }

    private func keep(_ state: AssetState, _ clock: inout StageClock) async throws -> Bool {
        let isHeld = try await tools.store.save(state, of: job)
        guard isHeld else { return false }
        tools.changes.notify()
        clock.move(to: state)
        if state.isSettled { logEnd(state, clock) }
        return true
    }

    /// A message as the log may have it.
    private func redacted(_ message: String) -> String { LinkSecret.hidden(in: message, about: job.asset.source) }

    private func logEnd(_ state: AssetState, _ clock: StageClock) {
        var metadata: Logger.Metadata = [
            "asset": "\(job.asset.id)", "state": "\(state.kind.rawValue)",
            "attempt": .stringConvertible(state.attempt.number),
            "milliseconds": .stringConvertible(clock.elapsed),
        ]
        guard let failure = state.failure else { return tools.log.info("settled", metadata: metadata) }
        metadata["code"] = "\(failure.code.rawValue)"
        metadata["stage"] = "\(failure.stage.rawValue)"
        metadata["reason"] = "\(redacted(failure.message))"
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
