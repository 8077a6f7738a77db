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

    /// Runs `work` on a new thread; the work looks at its cancellation now and then.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            defer { cancellation.takeOver() }
            return try await withCheckedThrowingContinuation { continuation in
                let body = Body {
                    let result = Result { try work(cancellation) }
                    cancellation.handOver()
                    continuation.resume(with: result)
                }
                if !start(body) {
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

    private static func start(_ body: Body) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let retained = Unmanaged.passRetained(body)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            return false
        }
        return true
    }
}
