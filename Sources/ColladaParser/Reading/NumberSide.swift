// All that a second thread may touch of a reader belongs to it only between two events of the markup: whatever the next
// event is but more text of the same list, it waits. So findings, lines and values come as if there was one thread.

import Glibc
import XMLReader

/// The second thread of one reader, and what is on its way there.
struct NumberSide {
    private enum Helper {
        /// No list was long enough so far.
        case notYet
        case at(NumberThread, pthread_t)
        /// There is none.
        case none
    }

    private enum State {
        case idle
        /// Something was handed over and not waited for.
        case busy
    }

    private var helper: Helper
    /// Bytes that stay where they are until ``settle()``.
    private var standing = UnsafeRawBufferPointer(start: nil, count: 0)
    private var state = State.idle

    init(_ threading: NumberThreading) {
        switch threading {
        case .together: helper = .none
        case .apart: helper = .notYet
        }
    }

    /// Says that these bytes stay where they are until ``settle()``.
    mutating func begin(_ bytes: UnsafeRawBufferPointer) { standing = bytes }

    /// Hands text of a list over; `false` where it is to be decoded here.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, at position: XMLPosition, for reader: DocumentReader
    ) -> Bool {
        guard bytes.count >= NumberThread.leastBytes, goesOn(behind: bytes) else { return false }
        switch helper {
        case .none: return false
        case .notYet:
            guard let (thread, id) = NumberThread.start() else {
                helper = .none
                return false
            }
            helper = .at(thread, id)
            thread.give(bytes, at: position, to: reader)
        case .at(let thread, _): thread.give(bytes, at: position, to: reader)
        }
        state = .busy
        return true
    }

    /// Whether there is more to look through meanwhile: text of the same list in bytes that stay.
    private func goesOn(behind bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let first = standing.baseAddress, start >= first else { return false }
        let end = start + bytes.count
        let last = first + standing.count
        guard end < last else {
            switch state {
            case .idle: return false
            case .busy: return end == last
            }
        }
        return end.load(as: UInt8.self) != UInt8(ascii: "<")
    }

    /// Waits for what was handed over.
    @inline(__always)
    mutating func settle() {
        switch state {
        case .idle: break
        case .busy: wait()
        }
    }

    private mutating func wait() {
        state = .idle
        switch helper {
        case .at(let thread, _): thread.settle()
        case .notYet, .none: break
        }
    }

    /// Ends the thread, and waits until it has.
    mutating func end() {
        settle()
        switch helper {
        case .at(let thread, let id):
            thread.end()
            pthread_join(id, nil)
        case .notYet, .none: break
        }
        helper = .none
    }
}
