import Glibc

/// Runs blocking work beside Swift's own pool of threads, which must never be blocked.
enum TransferThread {
    /// A class because a C thread takes one pointer.
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs blocking work on a thread of its own, which is gone when this returns: a process that ends behind it frees
    /// what libraries keep for each of its threads. Cancelling the task stops the signal.
    static func run<Value: Sendable>(
        _ url: String, _ work: @escaping @Sendable (StopSignal) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let signal = StopSignal()
        let result: Result<Value, DownloadError> = await withTaskCancellationHandler {
            var thread: pthread_t?
            let result: Result<Value, DownloadError> = await withCheckedContinuation { continuation in
                thread = start {
                    continuation.resume(
                        returning: Result { () throws(DownloadError) in try work(signal) })
                }
                guard thread == nil else { return }
                let failure = DownloadFailure.noResources(reason: "the system gave no thread")
                continuation.resume(
                    returning: .failure(DownloadError(failure, url: PrintableText.addressWithoutUser(url))))
            }
            // Its work is done: all it has left is to free its own.
            if let thread { pthread_join(thread, nil) }
            return result
        } onCancel: {
            signal.stop()
        }
        return try result.get()
    }

    /// A thread on which `run` is called once, to be joined; `nil` where none could be had.
    static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                TransferThread.blockSignals()
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            work.release()
            return nil
        }
        return thread
    }

    /// The process's handlers run on its other threads, and a write to a closed connection raises nothing here.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
