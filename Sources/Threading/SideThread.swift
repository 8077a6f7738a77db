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
