import Glibc
import Synchronization

/// Something that is kept for a thread, and takes long to be freed at its end, as libraries have it.
public final class SlowThreadEnd: Sendable {
    private let flag = Atomic(false)

    public init() {}

    /// Whether a thread that has it is gone.
    public var hasCome: Bool { flag.load(ordering: .sequentiallyConsistent) }

    /// Gives it to the thread that calls this.
    public func attach() {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            guard let pointer else { return }
            usleep(100_000)
            Unmanaged<SlowThreadEnd>.fromOpaque(pointer).takeRetainedValue().flag.store(
                true, ordering: .sequentiallyConsistent)
        }
        pthread_setspecific(key, Unmanaged.passRetained(self).toOpaque())
    }
}
