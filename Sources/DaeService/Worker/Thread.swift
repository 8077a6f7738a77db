import DaeCore
import Glibc

/// A thread for calls that wait, so that the few threads of the cooperative pool stay free.
enum Thread {
    /// Runs `body` on a new thread.
    ///
    /// - Returns: Whether the system gave one; without, `body` is not run: here it would hold up what others wait for.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let retained = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        if status != 0 { retained.release() }
        return status == 0
    }

    /// A class so that it can travel through C's pointer.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

extension Thread {
    /// What `body` gives, from a thread of its own that has ended then.
    ///
    /// - Throws: ``StorageError`` where the system gives no thread.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        guard let outcome = await JoinedThread.run({ Result(catching: body) }) else {
            throw StorageError("a thread", EAGAIN)
        }
        return try outcome.get()
    }
}
