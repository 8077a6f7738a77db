import DaeCore
import Daedalus
import Logging
import ServiceLifecycle

/// Gives jobs to workers, as many as there are places, and renews the claims on them.
actor Dispatcher: Service {
    private let tools: ServiceTools
    private let owner: OwnerLock
    private var running = RunningJobs()
    private var ticks = 0

    /// Bytes from which on a content may take a worker for long.
    private static let largeBytes: Int64 = 64 << 20
    /// Milliseconds for which a claim holds unless it is renewed.
    private static let claimTime: Int64 = 15_000

    init(_ tools: ServiceTools, _ owner: OwnerLock) {
        self.tools = tools
        self.owner = owner
    }

    func run() async throws {
        try await takeOver()
        // Claims are renewed in time, however long a look at all that is kept takes.
        let tasks = [Task { await beat() }, Task { await sweep() }]
        defer { for task in tasks { task.cancel() } }
        for await _ in tools.changes.notices() {
            guard !tools.phase.isStopping else { break }
            await fill()
        }
        await tools.places.endJobs()
        await wind()
        // Whoever ends before its turn is taken for broken.
        try? await gracefulShutdown()
    }

    /// Waits for what is running, most of the time that there is, and hands back the rest.
    private func wind() async {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .milliseconds(tools.settings.stopSeconds * 700))
        while !running.isEmpty, clock.now < end, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
        if !running.isEmpty { tools.log.info("handing back", metadata: ["jobs": .stringConvertible(running.count)]) }
        for handle in running.handles.values { handle.end(as: .handedBack) }
        // Of a moment each, also for a task that was cancelled.
        while !running.isEmpty { await Thread.run { _ = usleep(10_000) } }
        let (store, name) = (tools.store, owner.name)
        // Not this task, which is cancelled where the service cannot begin: what is claimed is handed back all the same.
        do { try await Task { try await store.release(owner: name) }.value } catch {
            tools.log.error("release: \(error)")
        }
    }

    // MARK: - Jobs

    /// What the next job may have: one worker at least, where there is more than one, is for what is soon done.
    private var mostBytes: Int64? {
        let large = running.largeCount
        return large > 0 && large >= tools.settings.workers - 1 ? Self.largeBytes : nil
    }

    private func fill() async {
        while !tools.phase.isStopping, await tools.places.acquireForJob() {
            do {
                let job = try await tools.store.claim(
                    owner: owner.name, lease: Self.claimTime, mostBytes: mostBytes, tasks: tools.tasks)
                if let job {
                    begin(job)
                    continue
                }
            } catch is CancellationError {
                // The service ends, as where its port is taken.
            } catch { tools.log.error("claim: \(error)") }
            return await tools.places.releaseUnused()
        }
    }

    private func begin(_ job: Job) {
        let handle = running.begin(job.id, isLarge: job.asset.content?.bytes ?? 0 > Self.largeBytes)
        let run = JobRun(job: job, tools: tools, handle: handle)
        Task {
            await TraceContext.$current.withValue(job.trace.flatMap(TraceContext.init(trace:))) {
                do { try await run.run() } catch {
                    tools.log.error("job: \(error)", metadata: ["asset": "\(job.asset.id)"])
                    // What is wrong with the store or the disk may pass; not at once, though.
                    repeat { try? await Task.sleep(for: .seconds(min(60, job.claims))) } while await !release(job)
                }
            }
            await ended(job, handle)
        }
    }

    /// Whether it was done, or will be with all others; what was not given back would be this process's for good.
    private func release(_ job: Job) async -> Bool {
        do { try await tools.store.release(job) } catch { return tools.phase.isStopping }
        return true
    }

    private func ended(_ job: Job, _ handle: JobHandle) async {
        running.end(job.id, handle)
        await tools.places.release()
        tools.changes.notify()
    }

    // MARK: - Claims

    private func beat() async {
        while !Task.isCancelled {
            tools.changes.notify()
            try? await Task.sleep(for: .seconds(1))
            // An ordinary stop may come in the middle of one.
            do { try await tick() } catch is CancellationError { return } catch {
                tools.log.error("heartbeat: \(error)")
            }
        }
    }

    private func tick() async throws {
        ticks += 1
        if !running.isEmpty {
            if ticks.isMultiple(of: 3) {
                try await tools.store.renew(owner: owner.name, lease: Self.claimTime)
            }
            // Taken before the question: a job that is claimed meanwhile is not in the answer.
            let known = running.handles
            let held = Set(try await tools.store.held(by: owner.name))
            for (id, handle) in known where !held.contains(id) { handle.end(as: .dropped) }
        }
        if ticks.isMultiple(of: 5) { try await takeOver() }
    }

    private func sweep() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            await tools.disk.sweep()
        }
    }

    /// Frees the claims of processes that are gone, and removes what they left on its way.
    private func takeOver() async throws {
        for name in try await tools.store.owners() where name != owner.name && tools.liveness.isGone(name) {
            try await tools.store.release(owner: name)
        }
        try await tools.store.releaseExpired()
        try await tools.derivations.sweep()
        OwnerLock.clear(tools.folder)
    }
}

/// What one process works on: the jobs that it claimed, each with the handle of its newest run.
struct RunningJobs: Sendable {
    private var jobs: [Int64: (handle: JobHandle, isLarge: Bool)] = [:]

    var count: Int { jobs.count }
    var isEmpty: Bool { jobs.isEmpty }
    var largeCount: Int { jobs.values.count(where: \.isLarge) }
    var handles: [Int64: JobHandle] { jobs.mapValues(\.handle) }

    /// A claim that was lost while the process stood still may be its own again: what goes on by the old one is over.
    mutating func begin(_ id: Int64, isLarge: Bool) -> JobHandle {
        let handle = JobHandle()
        jobs.updateValue((handle, isLarge), forKey: id)?.handle.end(as: .dropped)
        return handle
    }

    /// The end of an older run leaves the newest as it is.
    mutating func end(_ id: Int64, _ handle: JobHandle) {
        if jobs[id]?.handle === handle { jobs[id] = nil }
    }
}
