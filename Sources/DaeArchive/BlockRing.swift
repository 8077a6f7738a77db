// Two threads and a bounded number of blocks between them. A lock and a condition of POSIX, since one waits for the other.

import DaeCore
import DaeDiagnostics

/// Hands blocks of bytes from the one thread that fills them to the one that drains them, in order.
///
/// A class since both hold it. Unchecked because memory is: a block belongs to the draining thread from ``add(_:)`` to
/// ``giveBack()`` and to the filling one otherwise, and all else is touched under the lock alone.
final class BlockRing: @unchecked Sendable {
    private enum Ending {
        case open
        case finished
        case failed(CodedFailure)
        /// Nobody drains any more.
        case abandoned
    }

    private let blockBytes: Int
    private let memory: UnsafeMutableRawBufferPointer
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Of what one of the two waits for: at most one waits at a time, since the ring is not full and empty at once.
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// Bytes in each block.
    private var counts: [Int]
    /// The oldest block that is filled, and how many are.
    private var (first, filled) = (0, 0)
    private var ending = Ending.open

    /// - Parameters:
    ///   - blockBytes: At least 1.
    ///   - blocks: At least 2.
    init(blockBytes: Int, blocks: Int) {
        self.blockBytes = blockBytes
        memory = .allocate(byteCount: blockBytes * blocks, alignment: 64)
        counts = Array(repeating: 0, count: blocks)
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
        memory.deallocate()
    }

    private func withLock<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body()
    }

    private func block(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[index * blockBytes..<(index + 1) * blockBytes])
    }
}

// MARK: - Filling

extension BlockRing {
    /// Fills blocks with what a reader gives until that is nothing, it throws, or nobody drains any more.
    func fill(from open: () throws(CodedFailure) -> EntryReader) {
        let reader: EntryReader
        do throws(CodedFailure) { reader = try open() } catch {
            add(0, .failed(error))
            return
        }
        while let block = emptyBlock() {
            var count = 0
            var ending = Ending.open
            do throws(CodedFailure) {
                while count < block.count {
                    let more = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: block[count...]))
                    count += more
                    if more == 0 {
                        ending = .finished
                        break
                    }
                }
            } catch { ending = .failed(error) }
            add(count, ending)
        }
    }

    /// Waits for it; `nil` where there is nothing more to fill.
    private func emptyBlock() -> UnsafeMutableRawBufferPointer? {
        withLock {
            while true {
                switch ending {
                case .finished, .failed, .abandoned: return nil
                case .open: break
                }
                if filled < counts.count { return block((first + filled) % counts.count) }
                pthread_cond_wait(changed, lock)
            }
        }
    }

    private func add(_ count: Int, _ ending: Ending) {
        withLock {
            if count > 0 {
                counts[(first + filled) % counts.count] = count
                filled += 1
            }
            switch self.ending {
            case .open: self.ending = ending
            case .finished, .failed, .abandoned: break
            }
            pthread_cond_signal(changed)
        }
    }
}

// MARK: - Draining

extension BlockRing {
    /// Hands each block to `body`, to the end; when it throws, the filling ends as well.
    ///
    /// - Throws: What `body` throws, or what ended the filling, behind the bytes that came before it.
    func drain(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        defer { abandon() }
        while let block = try filledBlock() {
            try body(block)
            giveBack()
        }
    }

    /// Waits for it; `nil` at the end.
    private func filledBlock() throws(CodedFailure) -> UnsafeRawBufferPointer? {
        try withLock { () throws(CodedFailure) in
            while true {
                if filled > 0 { return UnsafeRawBufferPointer(rebasing: block(first)[..<counts[first]]) }
                switch ending {
                case .open: pthread_cond_wait(changed, lock)
                case .finished, .abandoned: return nil
                case .failed(let error): throw error
                }
            }
        }
    }

    private func giveBack() {
        withLock {
            first = (first + 1) % counts.count
            filled -= 1
            // Not at the first empty one: a thread that is woken for every block costs more than it gains.
            if filled <= counts.count / 2 { pthread_cond_signal(changed) }
        }
    }

    private func abandon() {
        withLock {
            switch ending {
            case .open: ending = .abandoned
            case .finished, .failed, .abandoned: break
            }
            pthread_cond_signal(changed)
        }
    }
}
