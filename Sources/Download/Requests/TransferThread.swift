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

    /// The process's handlers run on its other threads, and a write to a closed connection raises nothing here.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
