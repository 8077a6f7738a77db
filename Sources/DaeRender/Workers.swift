import DaeCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Work that is parted into pieces, and done by several threads with the same result as by one.
struct Workers {
    let threads: Int

    /// Of processors that this process may use; no more than bring anything.
    static var available: Int { min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Of pieces 0..<count, in their order; each thread takes the next that nobody has.
    ///
    /// - Parameters:
    ///   - isStopped: Asked by the calling thread before each of its pieces; once it says so the rest is left.
    ///   - worker: Makes what does the pieces of one thread.
    /// - Returns: `nil` once it was stopped.
    func map<Value: Sendable>(
        _ count: Int, isStopped: () -> Bool, _ worker: @escaping @Sendable () -> (Int) -> Value
    ) -> [Value]? {
        let shared = Shared<Value>()
        @Sendable func work(_ isStopped: () -> Bool) {
            let piece = worker()
            var done: [(Int, Value)] = []
            while !shared.isStopped.load(ordering: .relaxed) {
                if isStopped() {
                    shared.isStopped.store(true, ordering: .relaxed)
                    break
                }
                let index = shared.next.add(1, ordering: .relaxed).oldValue
                guard index < count else { break }
                done.append((index, piece(index)))
            }
            shared.results.withLock { $0 += done }
        }
        let helpers = min(threads, count) - 1
        if helpers > 0 {
            var thread: JoinedThread?
            var others: [Helper] = []
            for _ in 0..<helpers {
                thread = JoinedThread { work { false } }
                if let taken = thread.take() { others.append(Helper(taken)) }
            }
            work(isStopped)
            for other in others { other.join() }
        } else {
            work(isStopped)
        }
        guard !shared.isStopped.load(ordering: .relaxed) else { return nil }
        var results = shared.results.withLock { results in
            defer { results = [] }
            return results
        }
        results.sort { $0.0 < $1.0 }
        return results.map(\.1)
    }

    /// A class since all threads have it.
    private final class Shared<Value: Sendable>: Sendable {
        let next = Atomic(0)
        let isStopped = Atomic(false)
        let results = Mutex<[(Int, Value)]>([])
    }

    /// A class so that a list may hold a thread.
    private final class Helper {
        private var thread: JoinedThread?

        init(_ thread: consuming JoinedThread) { self.thread = consume thread }

        func join() { thread.take()?.join() }
    }
}
