// Stages that compute or block get a thread of their own, so that the few threads of the cooperative pool stay free for
// progress and cancellation.

import Diagnostics
import Glibc
import Synchronization

enum WorkThread {
    /// Whether the task that waits for the work was cancelled.
    final class Cancellation: Sendable {
        private let flag = Atomic(false)
        private let isHandedOver = Atomic(false)

        var isCancelled: Bool { flag.load(ordering: .relaxed) }

        fileprivate func cancel() { flag.store(true, ordering: .relaxed) }

        // A continuation that is resumed before it is awaited hands its result over by an atomic of the runtime's that the
        // thread sanitizer does not see; it sees these.
        fileprivate func handOver() { isHandedOver.store(true, ordering: .releasing) }
        fileprivate func takeOver() { _ = isHandedOver.load(ordering: .acquiring) }
    }

    /// Runs `work` on a new thread, which is gone when this returns: a process that ends behind it frees what libraries keep
    /// for each of its threads. The work looks at its cancellation now and then.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            var thread: pthread_t?
            defer {
                cancellation.takeOver()
                // Its work is done: all it has left is to free its own.
                if let thread { pthread_join(thread, nil) }
            }
            return try await withCheckedThrowingContinuation { continuation in
                let body = Body {
                    let result = Result { try work(cancellation) }
                    cancellation.handOver()
                    continuation.resume(with: result)
                }
                thread = start(body)
                if thread == nil {
                    continuation.resume(throwing: StageError(.ioError, "the system gave no thread"))
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// A class so that it can travel through C's pointer.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// To be joined; `nil` where none could be had.
    private static func start(_ body: Body) -> pthread_t? {
        let retained = Unmanaged.passRetained(body)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            return nil
        }
        return thread
    }
}
