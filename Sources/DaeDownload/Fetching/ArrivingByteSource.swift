// While bytes arrive the file on disk only grows. Whatever makes it another file ends this source, which then never
// becomes verified: what was read of it before counts for nothing.

package import DaeCore
import Dispatch
import Synchronization

/// A file while it is downloaded: what has come is read from disk, what has not is waited for.
///
/// A class because it owns a file descriptor, and the transfer and its readers share it.
package final class ArrivingByteSource: ByteSource {
    private enum Phase {
        case arriving
        case verified(SHA256Digest)
        /// These bytes will never be the file: the transfer failed, began again, or nobody wants them.
        case ended
    }

    private struct State {
        var arrived: Int64
        var phase = Phase.arriving
        /// Readers before bytes that have not come.
        var waiting: [DispatchSemaphore] = []
    }

    /// What the server announced.
    package let size: Int64
    private let file: OpenFile
    private let state: Mutex<State>

    /// - Parameters:
    ///   - file: Is being written; what is read outlives it.
    ///   - arrived: Bytes that are there already.
    /// - Returns: `nil` where the system gives no further descriptor.
    init?(_ file: CacheFile, arrived: Int64, of size: Int64) {
        let written = OpenFile(borrowing: file.descriptor, name: file.path)
        guard let copy = try? written.copy(name: file.path.printable()) else { return nil }
        self.file = copy
        self.size = size
        state = Mutex(State(arrived: arrived))
    }

    /// What all bytes hash to, once they have come and were verified; `nil` until then, and for ever where that failed.
    package var sha256: SHA256Digest? {
        state.withLock { state in
            switch state.phase {
            case .verified(let digest): digest
            case .arriving, .ended: nil
            }
        }
    }

    /// Waits for bytes that have not come; fails once it is known that they will not.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
        let arrived = try wait(for: offset)
        let wanted = Int(min(Int64(buffer.count), arrived - offset))
        let count: Int
        do throws(SystemError) {
            count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        } catch { throw ByteSourceError(operation: "read", error) }
        guard count > 0 else { throw broken }
        return count
    }

    /// Nobody wants these bytes from here any more: whoever waits for them, or will, gets an error. The download goes on.
    package func stop() { end() }

    /// Blocks until the byte at `offset` is there; gives how many are.
    private func wait(for offset: Int64) throws(ByteSourceError) -> Int64 {
        while true {
            let (arrived, turn) = try state.withLock { state throws(ByteSourceError) -> (Int64, DispatchSemaphore?) in
                switch state.phase {
                case .ended: throw broken
                case .verified: return (size, nil)
                case .arriving where offset < state.arrived: return (state.arrived, nil)
                case .arriving:
                    let turn = DispatchSemaphore(value: 0)
                    state.waiting.append(turn)
                    return (state.arrived, turn)
                }
            }
            guard let turn else { return arrived }
            turn.wait()
        }
    }

    private var broken: ByteSourceError {
        ByteSourceError(operation: "read", subject: file.name, reason: "its download ended before its last byte")
    }
}

// MARK: - The transfer's side

extension ArrivingByteSource {
    /// Bytes up to `count` are on disk.
    func advance(to count: Int64) {
        change { $0.arrived = max($0.arrived, min(count, size)) }
    }

    /// Whether this is still the file, when a transfer goes on with bytes that an earlier one has left.
    func goesOn(behind kept: Int64, of total: Int64?) -> Bool {
        total == size
            && state.withLock { state in
                switch state.phase {
                case .arriving: state.arrived <= kept
                case .verified, .ended: false
                }
            }
    }

    /// All bytes are there, and these are the right ones.
    func verify(_ digest: SHA256Digest) {
        change { state in
            switch state.phase {
            case .arriving where state.arrived == size: state.phase = .verified(digest)
            case .arriving, .verified, .ended: break
            }
        }
    }

    /// The bytes are not the file's, or there will be no more of them; nothing where they were verified.
    func end() {
        change { state in
            switch state.phase {
            case .arriving: state.phase = .ended
            case .verified, .ended: break
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for turn in woken { turn.signal() }
    }
}
