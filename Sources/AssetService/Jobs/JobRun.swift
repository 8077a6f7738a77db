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

/// One job, from its claim to the asset's end. Each state is kept before anybody can see it.
struct JobRun: Sendable {
    let job: Job
    let tools: ServiceTools
    let handle: JobHandle

    func run() async throws {
        if let content = job.asset.content, let known = tools.results.state(of: content) {
            _ = try await keep(known)
            return
        }
        var state = job.asset.state
        switch job.history {
        case .new: break
        case .interrupted:
            state = AssetStateMachine.restore(state, source: job.asset.source).machine.state
            guard try await keep(state) else { return }
        }
        guard case .downloading(let download) = state else { return }
        let end = try await work(download, &state)
        guard !state.isSettled, !handle.isUnwanted else { return }
        var machine = AssetStateMachine(source: job.asset.source, state: state)
        let reason = (end ?? .notStarted("no process")).reason(tools.settings.worker)
        _ = try machine.handle(.failed(reason, .resume, attempt: state.attempt))
        tools.log.warning("worker ended early", metadata: ["asset": "\(job.asset.id)", "reason": "\(reason.message)"])
        _ = try await keep(machine.state)
    }

    /// Lets a worker take the asset to its end, and keeps what it says.
    private func work(_ download: AssetState.Download, _ state: inout AssetState) async throws -> WorkerEnd? {
        let worker: WorkerProcess
        do { worker = try WorkerProcess(try tools.order(.process(download), job.asset)) } catch let error
            as StorageError
        {
            return .notStarted(error.description)
        }
        guard handle.begin(worker) else {
            worker.kill(as: .killed(signal: 9))
            return nil
        }
        let deadline = worker.deadline(tools.settings.worker)
        defer { deadline.cancel() }
        var content = job.asset.content
        for await event in worker.events {
            switch event {
            case .message(.state(let next)):
                if let content { try tools.results.keep(next, of: content) }
                state = next
                if !(try await keep(next)) { handle.end(as: .dropped) }
            case .message(.content(let file, let sha256, let bytes, let name)):
                guard let digest = SHA256Digest(hex: sha256) else { continue }
                let found = StoredContent(digest: digest, bytes: bytes, name: FileName.clean(name))
                let blobs = tools.blobs
                switch try await tools.store.save(found, of: job, storing: { try blobs.adopt(file, as: digest) }) {
                case .kept:
                    content = found
                    guard let known = tools.results.state(of: found) else {
                        worker.goOn()
                        continue
                    }
                    handle.end(as: .dropped)
                    _ = try await keep(known)
                case .isReadElsewhere:
                    // Taken up again behind the other, whose results it then has.
                    handle.end(as: .handedBack)
                    try await tools.store.giveBack(job)
                case .notHeld: handle.end(as: .dropped)
                }
            case .message(.made), .message(.failed): break
            case .ended(let end): return end
            }
        }
        return nil
    }

    private func keep(_ state: AssetState) async throws -> Bool {
        let isHeld = try await tools.store.save(state, of: job)
        if isHeld { tools.bell.ring() }
        return isHeld
    }
}
