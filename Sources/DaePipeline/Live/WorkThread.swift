// Stages that compute or block get a thread of their own, so that the few threads of the cooperative pool stay free for
// progress and cancellation.

import DaeCore
import DaeDiagnostics
import Dispatch
import Synchronization

package enum WorkThread {
    /// Whether the task that waits for the work was cancelled.
    package final class Cancellation: Sendable {
        private let flag = Atomic(false)

        package var isCancelled: Bool { flag.load(ordering: .relaxed) }

        fileprivate func cancel() { flag.store(true, ordering: .relaxed) }
    }

    /// Runs `work` on a new thread, which is gone when this returns. The work looks at its cancellation now and then.
    package static func run<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await JoinedThread.run { Result { try work(cancellation) } }
        } onCancel: {
            cancellation.cancel()
        }
        guard let result else { throw CodedFailure(.ioError, "the system gave no thread") }
        return try result.get()
    }
}

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
