// Two threads and a bounded number of blocks between them.

import Dispatch
import Synchronization

/// Hands blocks of bytes from the one thread that fills them to the one that drains them, in order.
///
/// A class since both hold it. A block is with one of the threads or in one of the two lists, and nowhere twice: bytes
/// that two hold would be copied when one of them writes.
final class BlockRing: Sendable {
    private enum Ending {
        case open
        case finished
        case failed(ArchiveError)
        /// Nobody drains any more.
        case abandoned
    }

    /// The thread that waits: at most one does, since the ring is not full and empty at once.
    private enum Waiting {
        case none
        case filling
        case draining
    }

    private struct Block {
        var bytes: [UInt8]
        /// How many of them are filled, from the first on.
        var count = 0
    }

    private struct State {
        var empty: [Block]
        var filled: [Block] = []
        var ending = Ending.open
        var waiting = Waiting.none
    }

    private enum Next {
        case block(Block)
        case none
        case wait
    }

    private let blocks: Int
    private let state: Mutex<State>
    /// Signalled once for each time that a thread says it waits.
    private let changed = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - blockBytes: At least 1.
    ///   - blocks: At least 2.
    init(blockBytes: Int, blocks: Int) {
        self.blocks = blocks
        state = Mutex(State(empty: (0..<blocks).map { _ in Block(bytes: [UInt8](repeating: 0, count: blockBytes)) }))
    }

    private func wake(_ thread: Waiting, _ state: inout State) {
        guard state.waiting == thread else { return }
        state.waiting = .none
        changed.signal()
    }
}

// MARK: - Filling

extension BlockRing {
    /// Fills blocks with what a reader gives until that is nothing, it throws, or nobody drains any more.
    func fill(from open: () throws(ArchiveError) -> EntryReader) {
        let reader: EntryReader
        do throws(ArchiveError) { reader = try open() } catch {
            add(nil, .failed(error))
            return
        }
        while var block = emptyBlock() {
            let ending: Ending
            (block.count, ending) = block.bytes.withUnsafeMutableBytes { Self.fill($0, from: reader) }
            add(consume block, ending)
        }
    }

    /// How many bytes the reader gave, and whether it has more.
    private static func fill(_ bytes: UnsafeMutableRawBufferPointer, from reader: EntryReader) -> (Int, Ending) {
        var count = 0
        do throws(ArchiveError) {
            while count < bytes.count {
                let more = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
                guard more > 0 else { return (count, .finished) }
                count += more
            }
        } catch { return (count, .failed(error)) }
        return (count, .open)
    }

    /// Waits for it; `nil` where there is nothing more to fill.
    private func emptyBlock() -> Block? {
        while true {
            let next: Next = state.withLock { state in
                switch state.ending {
                case .finished, .failed, .abandoned: return .none
                case .open: break
                }
                if let block = state.empty.popLast() { return .block(block) }
                state.waiting = .filling
                return .wait
            }
            switch next {
            case .block(let block): return block
            case .none: return nil
            case .wait: changed.wait()
            }
        }
    }

    private func add(_ block: consuming Block?, _ ending: Ending) {
        var block = block
        state.withLock { state in
            if let block = block.take(), block.count > 0 { state.filled.append(block) }
            switch state.ending {
            case .open: state.ending = ending
            case .finished, .failed, .abandoned: break
            }
            wake(.draining, &state)
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
            try block.bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<block.count])) }
            giveBack(consume block)
        }
    }

    /// Waits for it; `nil` at the end.
    private func filledBlock() throws(ArchiveError) -> Block? {
        while true {
            let next: Next = try state.withLock { state throws(ArchiveError) in
                if !state.filled.isEmpty { return .block(state.filled.removeFirst()) }
                switch state.ending {
                case .open:
                    state.waiting = .draining
                    return .wait
                case .finished, .abandoned: return .none
                case .failed(let error): throw error
                }
            }
            switch next {
            case .block(let block): return block
            case .none: return nil
            case .wait: changed.wait()
            }
        }
    }

    private func giveBack(_ block: consuming Block) {
        var block = Optional(block)
        state.withLock { state in
            if let block = block.take() { state.empty.append(block) }
            // Not at the first empty one: a thread that is woken for every block costs more than it gains.
            if state.filled.count <= blocks / 2 { wake(.filling, &state) }
        }
    }

    private func abandon() {
        state.withLock { state in
            switch state.ending {
            case .open: state.ending = .abandoned
            case .finished, .failed, .abandoned: break
            }
            wake(.filling, &state)
        }
    }
}
