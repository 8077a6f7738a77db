// For work that blocks or computes for long while its caller does the same: a pair of threads with one beginning and one
// end, so that nothing outlives the call.

import Glibc

/// Two pieces of work at once.
public enum SideThread {
    /// Runs `side` on a new thread while `body` runs on this one, and returns when both have ended.
    ///
    /// What `body` throws is thrown when `side` has ended too, so `side` has to learn of it by its own means.
    ///
    /// - Returns: `nil` where the system gave no thread; then neither was called.
    public static func run<Side: Sendable, Value, Failure: Error>(
        _ side: @escaping @Sendable () -> Side, beside body: () throws(Failure) -> Value
    ) throws(Failure) -> (value: Value, side: Side)? {
        let work = Work(side)
        let retained = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<AnyWork>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            return nil
        }
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
        pthread_join(thread, nil)
        let value = try result.get()
        return work.result.map { (value, $0) }
    }

    /// A class so that it can travel through C's pointer, which knows no generic parameter.
    private class AnyWork {
        func run() {}
    }

    /// `result` is written by the new thread, and read when that has ended.
    private final class Work<Side: Sendable>: AnyWork {
        private let side: @Sendable () -> Side
        private(set) var result: Side?

        init(_ side: @escaping @Sendable () -> Side) { self.side = side }

        override func run() { result = side() }
    }
}
