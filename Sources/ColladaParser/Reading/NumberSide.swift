// All that a second thread may touch of a reader belongs to it only between two events of the markup: whatever the next
// event is but more text of the same list, it waits. So findings, lines and values come as if there was one thread.
//
// Threads cost most where they wait for each other, so text is handed over once a chunk: what of a list that is open at
// a chunk's end was looked through is decoded while the next chunk is had and looked through.

import XMLReader

/// How long the bytes of a chunk stay where they are.
package enum ChunkStay {
    /// Until the call that reads them returns.
    case call
    /// Until the call that reads the next chunk returns, or the parser was asked to settle.
    case nextCall
}

/// The second thread of one reader, and what is on its way there.
struct NumberSide {
    private enum Helper {
        /// No list was long enough so far.
        case notYet
        case at(NumberThread)
        /// There is none.
        case none
    }

    private enum State {
        case idle
        /// Text is put by, or was handed over and not waited for.
        case owing
    }

    /// Text that is worth putting by.
    static let leastBytes = 1 << 15
    /// Text that takes longer to decode than it takes to wake a thread and to wait for it.
    private static let leastHandedOver = 1 << 17

    private var helper: Helper
    /// The chunk being read; empty where none of its text can be put by.
    private var standing = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Text of the chunk and of the list that is open; behind what was handed over.
    private var pieces: [NumberThread.Piece] = []
    private var state = State.idle

    init(_ threading: NumberThreading) {
        switch threading {
        case .together: helper = .none
        case .apart: helper = .notYet
        }
    }

    /// Whether nothing is left to decode.
    var isSettled: Bool {
        switch state {
        case .idle: true
        case .owing: false
        }
    }

    mutating func begin(_ bytes: UnsafeRawBufferPointer, staying: ChunkStay) {
        switch (helper, staying) {
        case (.notYet, .nextCall), (.at, .nextCall): standing = bytes
        case (.none, _), (_, .call): standing = UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// Puts text of a list by; `false` where it is to be decoded here, once what came before is settled.
    mutating func take(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> Bool {
        guard bytes.count >= Self.leastBytes || !isSettled, let start = bytes.baseAddress,
            let first = standing.baseAddress, start >= first, start + bytes.count <= first + standing.count
        else { return false }
        pieces.append(NumberThread.Piece(bytes: bytes, position: position))
        state = .owing
        return true
    }

    /// Waits for what was handed over, and decodes what was put by.
    @inline(__always)
    mutating func settle(for reader: DocumentReader) {
        switch state {
        case .idle: break
        case .owing: finish(for: reader)
        }
    }

    private mutating func finish(for reader: DocumentReader) {
        waitForThread()
        state = .idle
        for piece in pieces { reader.decode(piece.bytes, at: piece.position) }
        pieces.removeAll(keepingCapacity: true)
    }

    private func waitForThread() {
        switch helper {
        case .at(let thread): thread.settle()
        case .notYet, .none: break
        }
    }

    /// Hands over what was put by of the chunk, where nothing failed; all of the one before it is decoded then.
    mutating func endChunk(for reader: DocumentReader) {
        defer { standing = UnsafeRawBufferPointer(start: nil, count: 0) }
        waitForThread()
        guard isWorthThread, reader.numbers.failure == nil, let thread = thread() else { return settle(for: reader) }
        thread.give(pieces, to: reader)
        pieces.removeAll()
    }

    private var isWorthThread: Bool { pieces.reduce(0) { $0 + $1.bytes.count } >= Self.leastHandedOver }

    private mutating func thread() -> NumberThread? {
        switch helper {
        case .at(let thread): return thread
        case .none: return nil
        case .notYet:
            let thread = NumberThread.start()
            helper = thread.map { .at($0) } ?? .none
            return thread
        }
    }

    /// Ends the thread, and waits until it has; what was put by is dropped.
    mutating func end() {
        switch helper {
        case .at(let thread): thread.end()
        case .notYet, .none: break
        }
        helper = .none
    }
}
