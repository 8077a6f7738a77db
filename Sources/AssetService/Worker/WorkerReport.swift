import Daedalus
import Glibc
import Synchronization

/// What a worker says, to its parent on standard output. A class because it knows what it said last.
final class WorkerReport: Sendable {
    private let last = Mutex<(state: AssetState, at: Int64)?>(nil)
    /// Milliseconds between two states of one stage.
    private static let pause: Int64 = 100

    /// Says a new state; counts that come fast are left out, and so is what lies behind the last one.
    func tell(_ state: AssetState) {
        let now = AssetOperations.Instant.systemTime()
        last.withLock { last in
            if let before = last {
                guard state != before.state, Self.rank(state) >= Self.rank(before.state) else { return }
                let isSameStage = Self.rank(state) == Self.rank(before.state)
                guard !isSameStage || now - before.at >= Self.pause else { return }
            }
            last = (state, now)
            write(.state(state))
        }
    }

    func tell(_ message: WorkerMessage) { last.withLock { _ in write(message) } }

    private static func rank(_ state: AssetState) -> Int {
        switch state {
        case .downloading: state.attempt.number * 8
        case .unzipping: state.attempt.number * 8 + 1
        case .parsing: state.attempt.number * 8 + 2
        case .ready, .failed: state.attempt.number * 8 + 3
        }
    }

    private func write(_ message: WorkerMessage) {
        guard let text = try? StateText.text(message) else { return }
        var bytes = Array((text + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Who was to read it is gone.
            guard count > 0 else { _exit(75) }
            bytes = bytes.dropFirst(count)
        }
    }
}
