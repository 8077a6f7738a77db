// Long lists come in many pieces, and the markup's reader has to look through each of them before it knows where the
// next begins. What it has looked through is decoded meanwhile.

import Glibc
import XMLReader

/// A thread that decodes pieces of text in the order in which they are given, for one reader that goes on meanwhile.
///
/// A class since both threads hold it. Unchecked because its state is touched under the lock alone; the reader belongs to
/// this thread from ``give(_:at:to:)`` until ``settle()`` has returned, but for what tells the markup's reader how to
/// read text.
final class NumberThread: @unchecked Sendable {
    private struct Piece {
        let reader: DocumentReader
        let bytes: UnsafeRawBufferPointer
        let position: XMLPosition
    }

    private enum Course {
        case open, ended
    }

    /// Text that is worth handing over.
    static let leastBytes = 1 << 15
    /// Pieces that wait, at most.
    private static let mostPieces = 64

    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Of what one of the two waits for: at most one waits at a time.
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var waiting: [Piece] = []
    /// Pieces that are not decoded, the one at work among them.
    private var open = 0
    private var course = Course.open

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
    static func start() -> (NumberThread, pthread_t)? {
        let work = NumberThread()
        let retained = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<NumberThread>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            return nil
        }
        return (work, thread)
    }

    // MARK: - The thread that reads markup

    /// Has a piece decoded; its bytes have to stay until ``settle()``.
    func give(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition, to reader: DocumentReader) {
        pthread_mutex_lock(lock)
        while open >= Self.mostPieces { pthread_cond_wait(changed, lock) }
        waiting.append(Piece(reader: reader, bytes: bytes, position: position))
        open += 1
        pthread_cond_signal(changed)
        pthread_mutex_unlock(lock)
    }

    /// Waits until all pieces are decoded.
    func settle() {
        pthread_mutex_lock(lock)
        while open > 0 { pthread_cond_wait(changed, lock) }
        pthread_mutex_unlock(lock)
    }

    /// Ends the thread when all pieces are decoded.
    func end() {
        pthread_mutex_lock(lock)
        course = .ended
        pthread_cond_signal(changed)
        pthread_mutex_unlock(lock)
    }

    // MARK: - The thread that decodes

    private func run() {
        var pieces: [Piece] = []
        while true {
            takeWaiting(&pieces)
            guard !pieces.isEmpty else { return }
            for piece in pieces { piece.reader.decode(piece.bytes, at: piece.position) }
            // Before they are told to be done: the reader may go then.
            let count = pieces.count
            pieces.removeAll(keepingCapacity: true)
            pthread_mutex_lock(lock)
            open -= count
            pthread_cond_signal(changed)
            pthread_mutex_unlock(lock)
        }
    }

    /// Waits for some; takes none at the end.
    private func takeWaiting(_ pieces: inout [Piece]) {
        pthread_mutex_lock(lock)
        while waiting.isEmpty, case .open = course { pthread_cond_wait(changed, lock) }
        swap(&pieces, &waiting)
        pthread_mutex_unlock(lock)
    }
}
