// Events are read once for all streams, in their order and those of other processes on the same folder among them. A stream
// that is too slow for what is handed to it reads for itself what it missed.

import Daedalus
import Logging
import ServiceLifecycle
import Synchronization

/// Wakes those who wait for something to have been kept, hands events to streams, and holds the progress of work, which is
/// not kept. A class because all share it.
final class ChangeNotifier: Sendable {
    /// Some events for one stream, the oldest first.
    struct Delivery: Sendable {
        let events: [ServiceEvent]
        /// All that the stream wants of the events behind `after` up to `newest` is here.
        let after: Int64
        let newest: Int64
    }

    private struct Listener {
        /// The only one that it wants events of; `nil` for all.
        let asset: AssetID?
        let continuation: AsyncStream<Delivery>.Continuation
        /// The newest event as of the last delivery.
        var newest: Int64
        var told = ContinuousClock.now
    }

    /// What is known of an asset beside its row while this process works on it.
    private struct Work {
        let job: Job
        /// The last state that was kept, as the streams were told of it.
        var kept: AssetState
        /// The last that the worker said, and when.
        var progress: (state: AssetState, at: Int64)?
    }

    private struct State {
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var listeners: [Int: Listener] = [:]
        var begun = 0
        var newest: Int64 = 0
        var tokens: Int64 = 0
        var work: [AssetID: Work] = [:]

        /// Under the lock, so that all streams get the same order.
        mutating func deliver(_ events: [ServiceEvent]) {
            for (number, listener) in listeners {
                let wanted = listener.asset.map { asset in events.filter { $0.asset == asset } } ?? events
                if !wanted.isEmpty { deliver(wanted, to: number) }
            }
        }

        mutating func deliver(_ events: [ServiceEvent], to number: Int) {
            guard let listener = listeners[number] else { return }
            listener.continuation.yield(.init(events: events, after: listener.newest, newest: newest))
            listeners[number]?.newest = newest
            listeners[number]?.told = .now
        }
    }

    private let state = Mutex(State())

    /// Deliveries that a stream may be behind.
    private static let room = 64
    /// Silence after which a delivery without events is made: whoever gets it finds out who left.
    private static let silence = Duration.seconds(10)

    // MARK: - That something was kept

    func notify() {
        for waiting in state.withLock({ Array($0.waiting.values) }) { waiting.yield() }
    }

    /// Has an element when there was a notice since the last one was taken; the dispatcher gives one a second at least.
    func notices() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.begun += 1
            state.waiting[state.begun] = continuation
            return state.begun
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.waiting[number] = nil } }
        return stream
    }

    // MARK: - What it was

    /// What happens from now on, to one asset or to all. Of a stream that is not read the newest deliveries are kept.
    func deliveries(of asset: AssetID?) -> AsyncStream<Delivery> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Delivery.self, bufferingPolicy: .bufferingNewest(Self.room))
        let number = state.withLock { state in
            state.begun += 1
            state.listeners[state.begun] = Listener(asset: asset, continuation: continuation, newest: state.newest)
            return state.begun
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        return stream
    }

    /// Streams that are open.
    var streams: Int { state.withLock { $0.listeners.count } }

    /// How often a token or a key was made or ended, or a session was ended, as of the last second: what let a stream begin
    /// may be gone.
    var tokens: Int64 { state.withLock { $0.tokens } }

    /// Hands over events from this one on; what came before it streams that are open already read for themselves.
    func begin(behind newest: Int64) {
        state.withLock { state in
            state.newest = newest
            for number in state.listeners.keys {
                state.listeners[number]?.newest = newest
                state.deliver([], to: number)
            }
        }
    }

    /// Hands over events that were read, all up to `newest`.
    func publish(_ events: [ServiceEvent], newest: Int64) {
        state.withLock { state in
            state.newest = newest
            for event in events where event.kind == .state {
                guard state.work[event.asset] != nil, let kept = try? StateText.read(AssetState.self, event.data) else {
                    continue
                }
                state.work[event.asset]?.kept = kept
            }
            state.deliver(events)
        }
    }

    /// Looks after streams to which nothing happens.
    func tick(tokens: Int64) {
        state.withLock { state in
            let isOld = state.tokens != tokens
            state.tokens = tokens
            let now = ContinuousClock.now
            for (number, listener) in state.listeners where isOld || now - listener.told >= Self.silence {
                state.deliver([], to: number)
            }
        }
    }

    // MARK: - Progress

    /// Work on an asset begins.
    func begin(_ job: Job) { state.withLock { $0.work[job.asset.id] = Work(job: job, kept: job.asset.state) } }

    func end(_ job: Job) {
        state.withLock { state in
            // The next job of the asset may have begun.
            if state.work[job.asset.id]?.job.id == job.id { state.work[job.asset.id] = nil }
        }
    }

    /// Tells how far a worker is within the state that was kept. An asset that was stopped meanwhile goes no further.
    func progress(_ progress: AssetState, of job: Job, at now: Int64) throws {
        let asset = job.asset
        let event = ServiceEvent(
            number: nil, asset: asset.id, kind: .state, data: try StateText.text(progress), secret: asset.secret)
        state.withLock { state in
            guard let work = state.work[asset.id], work.job.id == job.id else { return }
            state.work[asset.id]?.progress = (progress, now)
            if progress.isProgress(of: work.kept) { state.deliver([event]) }
        }
    }

    /// An asset as it is now: as it was kept, or further within the same state.
    func newest(of asset: AssetRecord) -> AssetRecord {
        guard let progress = state.withLock({ $0.work[asset.id]?.progress }),
            progress.state.isProgress(of: asset.state)
        else { return asset }
        var asset = asset
        (asset.state, asset.changed) = (progress.state, max(asset.changed, progress.at))
        return asset
    }
}

extension AssetState {
    /// Whether it is the same state of the same attempt, further on.
    func isProgress(of other: AssetState) -> Bool { kind == other.kind && attempt == other.attempt && !isSettled }
}

/// Reads events for all streams: those of other processes on the same folder within a second.
struct EventFeed: Service {
    private let tools: ServiceTools

    init(_ tools: ServiceTools) { self.tools = tools }

    func run() async throws {
        var (newest, asked): (Int64?, ContinuousClock.Instant?) = (nil, nil)
        var watch = AccessWatch(tools)
        let notices = tools.changes.notices()
        // The first look is at once.
        tools.changes.notify()
        for try await _ in notices.cancelOnGracefulShutdown() {
            do {
                newest = try await read(behind: newest)
                // Each stream is written to on its own: the more there are, the more is handed over at once. What is kept
                // within one state after the other of a small model is read at once, too.
                try await Task.sleep(for: .milliseconds(max(20, min(100, tools.changes.streams / 5))))
                if let asked, ContinuousClock.now - asked < .seconds(1) { continue }
                asked = .now
                let changes = try await tools.access.tokenChanges()
                tools.changes.tick(tokens: changes)
                try await watch.look()
            } catch is CancellationError { break } catch { tools.log.error("events: \(error)") }
        }
        // Whoever ends before its turn is taken for broken.
        try? await gracefulShutdown()
    }

    /// - Parameter number: Of the last event that was handed over; `nil` at the start.
    private func read(behind number: Int64?) async throws -> Int64 {
        guard var at = number else {
            let newest = try await tools.store.events(after: .max, of: nil, limit: 1).newest
            tools.changes.begin(behind: newest)
            return newest
        }
        while true {
            let page = try await tools.store.events(after: at, of: nil, limit: 100)
            at = page.end
            tools.changes.publish(page.events, newest: at)
            if at == page.newest { return at }
        }
    }
}
