import CLibCurl
import Synchronization

/// A wish to stop, from any thread to the one that transfers.
final class StopSignal: Sendable {
    private enum State {
        case idle
        case waiting(Waiter)
        case stopped
    }

    /// libcurl's multi handle. Unchecked: used from other threads for `curl_multi_wakeup` alone, which allows it, and
    /// under the lock, so never after ``withWaiter(_:_:)`` has ended.
    private struct Waiter: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
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
            if case .waiting(let waiter) = state { dae_curl_multi_wakeup(waiter.multi) }
            state = .stopped
        }
    }

    /// While `body` runs, ``stop()`` wakes what waits on `multi`.
    func withWaiter<Value>(
        _ multi: UnsafeMutableRawPointer, _ body: () throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        attach(Waiter(multi: multi))
        defer { detach() }
        return try body()
    }

    private func attach(_ waiter: Waiter) {
        state.withLock { state in
            switch state {
            case .idle, .waiting: state = .waiting(waiter)
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
