import Synchronization

/// Whether the service takes new work. A class because all share it.
final class ServicePhase: Sendable {
    enum Phase: Sendable {
        case serving, stopping
    }

    private let phase = Mutex(Phase.serving)

    var isStopping: Bool {
        switch phase.withLock({ $0 }) {
        case .serving: false
        case .stopping: true
        }
    }

    /// Whether this is the first time that somebody wants it to stop.
    func stop() -> Bool {
        phase.withLock { phase in
            defer { phase = .stopping }
            switch phase {
            case .serving: return true
            case .stopping: return false
            }
        }
    }
}
