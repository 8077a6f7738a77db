// Swift's own few threads must never be blocked, and a process that ends beside a thread that is still at its end may free
// what that one uses: libraries keep something for each thread, and free it when that ends.

/// A thread of the system's for work that blocks or computes for long. Whoever has it waits for its end.
package struct JoinedThread: ~Copyable {
    private let id: pthread_t

    /// Starts one that runs `body`; `nil` where the system gives none, and `body` is not called then.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let retained = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                JoinedThread.blockSignals()
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            return nil
        }
        id = thread
    }

    /// Waits for its end.
    package consuming func join() {}

    deinit { pthread_join(id, nil) }

    /// The process's handlers run on its other threads, and a write to a closed connection raises nothing here.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// A class so that it can travel through C's pointer.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

extension JoinedThread {
    /// What `body` gives, from a thread that has ended when this returns.
    ///
    /// - Returns: `nil` where the system gave no thread; then `body` was not called.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        let work = ThreadWork(body)
        var thread: JoinedThread?
        await withCheckedContinuation { continuation in
            thread = JoinedThread {
                work.run()
                continuation.resume()
            }
            if thread == nil { continuation.resume() }
        }
        // Its work is done: all it has left is to free its own.
        thread?.join()
        return work.result
    }
}

/// Unchecked because `result` is written by one thread alone, and read when that has ended.
final class ThreadWork<Value: Sendable>: @unchecked Sendable {
    private let body: @Sendable () -> Value
    private(set) var result: Value?

    init(_ body: @escaping @Sendable () -> Value) { self.body = body }

    func run() { result = body() }
}

// For work that blocks or computes for long while its caller does the same: a pair of threads with one beginning and one
// end, so that nothing outlives the call.

/// Two pieces of work at once.
package enum SideThread {
    /// Runs `side` on a new thread while `body` runs on this one, and returns when both have ended.
    ///
    /// What `body` throws is thrown when `side` has ended too, so `side` has to learn of it by its own means.
    ///
    /// - Returns: `nil` where the system gave no thread; then neither was called.
    package static func run<Side: Sendable, Value, Failure: Error>(
        _ side: @escaping @Sendable () -> Side, beside body: () throws(Failure) -> Value
    ) throws(Failure) -> (value: Value, side: Side)? {
        let work = ThreadWork(side)
        guard let thread = JoinedThread({ work.run() }) else { return nil }
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
        thread.join()
        let value = try result.get()
        return work.result.map { (value, $0) }
    }
}

// Threads that nobody waits for.

/// A thread of the system's that ends by itself, or with the process.
package enum DetachedThread {
    /// Runs `body` on a new thread.
    ///
    /// - Returns: Whether the system gave one; without, `body` is not run: here it would hold up what others wait for.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let retained = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        if status == 0 { pthread_detach(thread) } else { retained.release() }
        return status == 0
    }

    /// A class so that it can travel through C's pointer.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
