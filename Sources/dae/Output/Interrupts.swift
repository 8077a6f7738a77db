// The signals are blocked from the first instruction of the program on and taken by a thread that waits for them, so
// that none is lost whenever it comes.

import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a cancellation; who does not end soon after is ended.
struct Interrupts {
    private let caught: CaughtSignal

    /// A class because the waiting thread shares it.
    private final class CaughtSignal: Sendable {
        let number = Atomic<Int32>(0)
        let cancel: @Sendable () -> Void

        init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
    }

    /// Seconds that work has to leave nothing behind.
    private static let grace: UInt32 = 2

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }

    /// Holds the signals back until somebody waits for them; to be called before there is any other thread.
    static func hold() {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// - Parameter cancel: Called once, at the first signal, on a thread of its own.
    init(_ cancel: @escaping @Sendable () -> Void) {
        caught = CaughtSignal(cancel)
        let context = Unmanaged.passRetained(caught)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Interrupts.wait(Unmanaged<CaughtSignal>.fromOpaque(context).takeRetainedValue()) }
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            // Without a thread the signals do what they always do.
            context.release()
            var signals = Self.signals
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return
        }
        pthread_detach(thread)
    }

    private static func wait(_ caught: CaughtSignal) {
        var signals = signals
        var number: Int32 = 0
        guard sigwait(&signals, &number) == 0 else { return }
        caught.number.store(number, ordering: .relaxed)
        caught.cancel()
        // A second one means: at once. So does work that does not end.
        var patience = timespec(tv_sec: Int(grace), tv_nsec: 0)
        sigtimedwait(&signals, nil, &patience)
        _exit(128 + number)
    }

    /// The exit code of what was caught.
    var code: DaeExit? {
        switch caught.number.load(ordering: .relaxed) {
        case 0: nil
        case SIGTERM: .terminated
        default: .interrupted  // integers
        }
    }
}
