// Long lists come in many pieces, and the markup's reader has to look through each of them before it knows where the
// next begins. What it has looked through is decoded meanwhile.

import Glibc
import Threading
import XMLReader

/// A thread that decodes pieces of text in the order in which they are given, for one reader that goes on meanwhile.
///
/// A class since both threads hold it. Unchecked because its state is touched under the lock alone; the reader belongs to
/// this thread from ``give(_:to:)`` until ``settle()`` has returned, but for what tells the markup's reader how to read
/// text.
final class NumberThread: @unchecked Sendable {
    /// Text of the list that is open.
    struct Piece {
        let bytes: UnsafeRawBufferPointer
        let position: XMLPosition
    }

    private enum State {
        case idle
        case given(DocumentReader, [Piece])
        case working
        case ended
    }

    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Of what one of the two waits for: at most one waits at a time.
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var state = State.idle
    /// Touched by the thread that reads markup alone.
    private var thread: JoinedThread?

    private init() {
        lock = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Starts one; `nil` where the system gives none.
    static func start() -> NumberThread? {
        let work = NumberThread()
        guard let thread = JoinedThread({ work.run() }) else { return nil }
        work.thread = consume thread
        return work
    }

    // MARK: - The thread that reads markup

    /// Has pieces decoded, once those given before are; their bytes have to stay until ``settle()``.
    func give(_ pieces: [Piece], to reader: DocumentReader) {
        settle()
        change(to: .given(reader, pieces))
    }

    /// Waits until all pieces are decoded.
    func settle() {
        pthread_mutex_lock(lock)
        while isBusy { pthread_cond_wait(changed, lock) }
        pthread_mutex_unlock(lock)
    }

    /// Ends the thread when all pieces are decoded, and waits until it has.
    func end() {
        settle()
        change(to: .ended)
        thread = nil
    }

    private var isBusy: Bool {
        switch state {
        case .given, .working: true
        case .idle, .ended: false
        }
    }

    private func change(to next: State) {
        pthread_mutex_lock(lock)
        state = next
        pthread_mutex_unlock(lock)
        // Behind the lock, which who is woken wants at once.
        pthread_cond_signal(changed)
    }

    // MARK: - The thread that decodes

    private func run() {
        while work() { change(to: .idle) }
    }

    /// Waits for pieces and decodes them; `false` at the end. The reader may go as soon as they are told to be done, so
    /// nothing here holds it then.
    private func work() -> Bool {
        pthread_mutex_lock(lock)
        while case .idle = state { pthread_cond_wait(changed, lock) }
        guard case .given(let reader, let pieces) = state else {
            pthread_mutex_unlock(lock)
            return false
        }
        state = .working
        pthread_mutex_unlock(lock)
        for piece in pieces { reader.decode(piece.bytes, at: piece.position) }
        return true
    }
}
