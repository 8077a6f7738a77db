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

    /// Whether a thread could be had; if so, `run` is called on it once.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
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
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs blocking work on a thread of its own; cancelling the task stops its signal.
    static func run<Value: Sendable>(
        _ url: String, _ work: @escaping @Sendable (StopSignal) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let signal = StopSignal()
        let result: Result<Value, DownloadError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = start {
                    continuation.resume(
                        returning: Result { () throws(DownloadError) in try work(signal) })
                }
                guard !isStarted else { return }
                let failure = DownloadFailure.noResources(reason: "the system gave no thread")
                continuation.resume(
                    returning: .failure(DownloadError(failure, url: PrintableText.addressWithoutUser(url))))
            }
        } onCancel: {
            signal.stop()
        }
        return try result.get()
    }

    /// The process's handlers run on its other threads, and a write to a closed connection raises nothing here.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
