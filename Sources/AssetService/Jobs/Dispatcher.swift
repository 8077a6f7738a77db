import Daedalus
import Glibc
import Logging
import ServiceLifecycle

/// Gives jobs to workers, as many as there are places, and renews the claims on them.
actor Dispatcher: Service {
    private let tools: ServiceTools
    private let owner: OwnerLock
    private var running: [Int64: JobHandle] = [:]
    private var ticks = 0

    /// Milliseconds for which a claim holds unless it is renewed.
    private static let claimTime: Int64 = 15_000

    init(_ tools: ServiceTools, _ owner: OwnerLock) {
        self.tools = tools
        self.owner = owner
    }

    func run() async throws {
        try await takeOver()
        let heart = Task { await beat() }
        defer { heart.cancel() }
        for await _ in tools.bell.listen() {
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
        for handle in running.values { handle.end(as: .handedBack) }
        while !running.isEmpty { await Self.pause() }
        let (store, name) = (tools.store, owner.name)
        // Not this task, which is cancelled where the service cannot begin: what is claimed is handed back all the same.
        do { try await Task { try await store.release(owner: name) }.value } catch {
            tools.log.error("release: \(error)")
        }
    }

    /// A moment, also for a task that was cancelled.
    private static func pause() async {
        // Where no thread is to be had this waits without one.
        do { try await Thread.run { _ = usleep(10_000) } } catch { await Task.yield() }
    }

    // MARK: - Jobs

    private var until: Int64 { AssetOperations.Instant.systemTime() + Self.claimTime }

    private func fill() async {
        while !tools.phase.isStopping, await tools.places.takeForJob() {
            do {
                if let job = try await tools.store.claim(owner: owner.name, until: until) {
                    begin(job)
                    continue
                }
            } catch is CancellationError {
                // The service ends, as where its port is taken.
            } catch { tools.log.error("claim: \(error)") }
            return await tools.places.giveUnused()
        }
    }

    private func begin(_ job: Job) {
        let handle = JobHandle()
        running[job.id] = handle
        let run = JobRun(job: job, tools: tools, handle: handle)
        Task {
            do { try await run.run() } catch {
                tools.log.error("job: \(error)", metadata: ["asset": "\(job.asset.id)"])
                // What is wrong with the store or the disk may pass; not at once, though.
                repeat { try? await Task.sleep(for: .seconds(1)) } while await !giveBack(job)
            }
            await ended(job)
        }
    }

    /// Whether it was done, or will be with all others; what was not given back would be this process's for good.
    private func giveBack(_ job: Job) async -> Bool {
        do { try await tools.store.giveBack(job) } catch { return tools.phase.isStopping }
        return true
    }

    private func ended(_ job: Job) async {
        running[job.id] = nil
        await tools.places.give()
        tools.bell.ring()
    }

    // MARK: - Claims

    private func beat() async {
        while !Task.isCancelled {
            tools.bell.ring()
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
            if ticks.isMultiple(of: 3) { try await tools.store.renew(owner: owner.name, until: until) }
            // Taken before the question: a job that is claimed meanwhile is not in the answer.
            let known = running
            let held = Set(try await tools.store.held(by: owner.name))
            for (id, handle) in known where !held.contains(id) { handle.end(as: .dropped) }
        }
        if ticks.isMultiple(of: 5) { try await takeOver() }
        await tools.disk.sweep()
    }

    /// Frees the claims of processes that are gone, and removes what they left on its way.
    private func takeOver() async throws {
        for name in try await tools.store.owners() where name != owner.name && OwnerLock.isGone(name, tools.folder) {
            try await tools.store.release(owner: name)
        }
        try await tools.store.release(owner: nil)
        OwnerLock.clear(tools.folder)
    }
}
