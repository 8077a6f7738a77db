import DaeCore
import Dispatch
import Synchronization

/// Threads that do one piece of work after the other, each with a connection that it keeps; in the order in which the work
/// came.
final class WorkQueue: Sendable {
    struct Work: Sendable {
        let id: Int
        let run: @Sendable (inout PostgreSQLConnection?) -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [(work: Work, deadline: ContinuousClock.Instant)] = []
        var threads = 0
        var busy = 0
        var isWatched = false
        var isClosed = false
    }

    private let most: Int
    private let patience: Duration
    private let state = Mutex(State())
    private let lastID = Atomic(0)
    /// Raised once for each piece of work; what was refused meanwhile wakes a thread in vain.
    private let arrivals = DispatchSemaphore(value: 0)

    init(threads: Int, patience: Duration) {
        most = max(threads, 1)
        self.patience = patience
    }

    func newID() -> Int { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    func add(_ work: Work) {
        enum Step { case none, start, watch }
        let step: Step = state.withLock { state in
            state.waiting.append((work, .now + patience))
            if state.busy + state.waiting.count <= state.threads { return .none }
            if state.threads < most {
                state.threads += 1
                return .start
            }
            if state.isWatched { return .none }
            state.isWatched = true
            return .watch
        }
        arrivals.signal()
        switch step {
        case .none: break
        case .start: start()
        case .watch: Task { await watch() }
        }
    }

    /// Refuses work that nobody waits for any more, unless it has begun.
    func refuse(_ id: Int) {
        let found = state.withLock { state in
            state.waiting.firstIndex { $0.work.id == id }.map { state.waiting.remove(at: $0).work }
        }
        found?.refuse(CancellationError())
    }

    /// Ends the threads when all that came is done.
    func close() {
        let threads = state.withLock { state in
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<threads { arrivals.signal() }
    }

    private func start() {
        let isStarted = DetachedThread.start {
            var connection: PostgreSQLConnection?
            while let work = self.next() {
                work.run(&connection)
                self.state.withLock { $0.busy -= 1 }
            }
        }
        guard !isStarted else { return }
        // What other threads there are do it, in their time.
        let refused = state.withLock { state in
            state.threads -= 1
            return state.threads == 0 ? state.waiting.popLast()?.work : nil
        }
        refused?.refuse(PostgreSQLError.noFreeConnection("the system gives no thread"))
    }

    private func next() -> Work? {
        while true {
            arrivals.wait()
            let (work, isEnd) = state.withLock { state in
                guard !state.waiting.isEmpty else { return (Work?.none, state.isClosed) }
                state.busy += 1
                return (state.waiting.removeFirst().work, false)
            }
            if isEnd { return nil }
            if let work { return work }
        }
    }

    /// Refuses what has waited for too long; ends when nothing waits.
    private func watch() async {
        while true {
            let (late, next) = state.withLock { state in
                let now = ContinuousClock.now
                let late = state.waiting.prefix { $0.deadline <= now }.map(\.work)
                state.waiting.removeFirst(late.count)
                state.isWatched = !state.waiting.isEmpty
                return (late, state.waiting.first?.deadline)
            }
            for work in late {
                work.refuse(PostgreSQLError.noFreeConnection("all \(most) were in use for \(patience)"))
            }
            guard let next else { return }
            try? await Task.sleep(until: next)
        }
    }
}
