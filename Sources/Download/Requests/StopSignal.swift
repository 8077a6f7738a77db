import Synchronization

/// A wish to stop, from any thread to the one that transfers.
final class StopSignal: Sendable {
    private enum State {
        case idle
        case waiting(TransferLoop)
        case stopped
    }

    private let state = Mutex(State.idle)

    var isStopped: Bool {
        state.withLock { state in
            switch state {
            case .stopped: true
            case .idle, .waiting: false
            }
        }
    }

    func stop() {
        state.withLock { state in
            if case .waiting(let loop) = state { loop.wake() }
            state = .stopped
        }
    }

    /// While `body` runs, ``stop()`` wakes `loop` from what it waits for.
    func withWaiter<Value>(
        _ loop: TransferLoop, _ body: () throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        attach(loop)
        defer { detach() }
        return try body()
    }

    private func attach(_ loop: TransferLoop) {
        state.withLock { state in
            switch state {
            case .idle, .waiting: state = .waiting(loop)
            case .stopped: break
            }
        }
    }

    private func detach() {
        state.withLock { state in
            switch state {
            case .idle, .waiting: state = .idle
            case .stopped: break
            }
        }
    }
}
