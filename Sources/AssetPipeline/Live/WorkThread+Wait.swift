import Dispatch
import Synchronization

extension WorkThread {
    /// How often it is asked whether to stop.
    private static let patience = DispatchTimeInterval.milliseconds(50)

    /// Blocks a work thread until a task has done what only tasks can do; cancels the task when asked to stop.
    static func wait<Value: Sendable>(
        isCancelled: () -> Bool, for work: @escaping @Sendable () async -> Value
    ) -> Value {
        let result = Box<Value>()
        let isDone = DispatchSemaphore(value: 0)
        let task = Task.detached {
            result.set(await work())
            isDone.signal()
        }
        while true {
            _ = isDone.wait(timeout: .now() + patience)
            if let value = result.value { return value }
            if isCancelled() { task.cancel() }
        }
    }

    /// A class since the task fills it and the thread that waits takes it.
    private final class Box<Value: Sendable>: Sendable {
        private let content = Mutex<Value?>(nil)

        var value: Value? { content.withLock { $0 } }

        func set(_ value: Value) { content.withLock { $0 = value } }
    }
}
