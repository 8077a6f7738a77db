import Glibc

/// Holds threads until as many as agreed have come. A class because it owns a C barrier.
final class Gate: @unchecked Sendable {
    private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

    init(parties: UInt32) { pthread_barrier_init(barrier, nil, parties) }

    deinit {
        pthread_barrier_destroy(barrier)
        barrier.deallocate()
    }

    func pass() { pthread_barrier_wait(barrier) }
}
