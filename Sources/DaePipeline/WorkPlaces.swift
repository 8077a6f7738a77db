import Synchronization

/// Lets so many in at once, in the order they came.
final class WorkPlaces: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var free: Int
        var next = 0
        var waiting: [Waiter] = []
        /// Numbers of those whose tasks were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }
    private let state: Mutex<State>

    /// - Parameter count: At least 1.
    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a place.
    ///
    /// - Returns: Whether there is one, which is to be given back by ``leave()``; `false` once the task was cancelled.
    func enter() async -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        // Cancelled as it came in, it has left a note that nobody needs.
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return false }
                    guard state.free > 0 else {
                        state.waiting.append(Waiter(number: number, continuation: continuation))
                        return nil
                    }
                    state.free -= 1
                    return true
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiting.remove(at: place)
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    func leave() {
        let next: Waiter? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
