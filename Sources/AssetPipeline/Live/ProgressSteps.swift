import Synchronization

/// Which counts of a stage that is through with a chunk in no time are worth telling: each one told wakes another thread.
final class ProgressSteps: Sendable {
    private let total: Int64
    private let next = Atomic<Int64>(0)

    init(of total: Int64) { self.total = total }

    /// A share that can be seen, or a mebibyte, where that is less.
    private var step: Int64 { min(total / 128, 1 << 20) }

    /// Whether this many are to be told; from then on what is a step further. The end always is.
    func isNext(_ done: Int64) -> Bool {
        guard done >= next.load(ordering: .relaxed) || done >= total else { return false }
        next.store(done &+ step, ordering: .relaxed)
        return true
    }
}
