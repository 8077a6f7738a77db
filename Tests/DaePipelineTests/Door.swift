import Synchronization

/// Holds tasks back until a test lets them through; the tests' only means of order, in place of sleeping.
final class Door: Sendable {
    private struct State {
        var isOpen = false
        var next = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }

    /// Waits until the door opens.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func pass() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let passed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.isOpen { return true }
                    if state.cancelled.contains(number) { return false }
                    state.waiting[number] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiting.removeValue(forKey: number)
            }
            continuation?.resume(returning: false)
        }
        if !passed { throw CancellationError() }
    }

    /// As ``pass()``, deaf to cancellation.
    func passInAnyCase() async {
        await Task { try? await self.pass() }.value
    }
}

/// What concurrent closures of a test write down.
final class Notes<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    var all: [Value] { values.withLock { $0 } }
}

/// How many are inside at once, and the most there ever were.
final class Headcount: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    func enter() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }

    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }
}
