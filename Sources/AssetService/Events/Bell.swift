import Synchronization

/// Wakes those who wait for something to have been kept; what it was they read for themselves. A class because all
/// share it.
final class Bell: Sendable {
    private struct Listeners {
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var begun = 0
    }

    private let listeners = Mutex(Listeners())

    func ring() {
        for listener in listeners.withLock({ Array($0.waiting.values) }) { listener.yield() }
    }

    /// Has an element when it rang since the last one was taken.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            listeners.begun += 1
            listeners.waiting[listeners.begun] = continuation
            return listeners.begun
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.waiting[number] = nil }
        }
        return stream
    }

    var count: Int { listeners.withLock { $0.waiting.count } }
}
