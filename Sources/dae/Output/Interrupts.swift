import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a cancellation while it lives; who does not end soon after is ended.
struct Interrupts: ~Copyable {
    private let caught: CaughtSignal
    private let sources: [any DispatchSourceSignal]

    private final class CaughtSignal: Sendable {
        let number = Atomic<Int32>(0)
    }

    /// Seconds that work has to leave nothing behind.
    private static let grace = 2.0

    /// - Parameter cancel: Called once, at the first signal.
    init(_ cancel: @escaping @Sendable () -> Void) {
        let caught = CaughtSignal()
        self.caught = caught
        let queue = DispatchQueue(label: "interrupts")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let (isFirst, _) = caught.number.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                // A second one means: at once.
                guard isFirst else { _exit(128 + number) }
                cancel()
                queue.asyncAfter(deadline: .now() + Self.grace) { _exit(128 + number) }
            }
            source.activate()
            return source
        }
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
