// Stages that compute or block get a thread of their own, so that the few threads of the cooperative pool stay free for
// progress and cancellation.

import Diagnostics
import Synchronization
import Threading

enum WorkThread {
    /// Whether the task that waits for the work was cancelled.
    final class Cancellation: Sendable {
        private let flag = Atomic(false)

        var isCancelled: Bool { flag.load(ordering: .relaxed) }

        fileprivate func cancel() { flag.store(true, ordering: .relaxed) }
    }

    /// Runs `work` on a new thread, which is gone when this returns. The work looks at its cancellation now and then.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await JoinedThread.run { Result { try work(cancellation) } }
        } onCancel: {
            cancellation.cancel()
        }
        guard let result else { throw StageError(.ioError, "the system gave no thread") }
        return try result.get()
    }
}
