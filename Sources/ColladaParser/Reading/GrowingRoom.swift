// What a document is read into is doubled while it grows: a copy each time would touch twice the memory.

import Glibc

/// Room that grows where it is, if it is long: the system then moves its pages and copies nothing.
enum GrowingRoom {
    /// - Parameters:
    ///   - room: That it goes on from, which is gone then; `nil` for new room.
    ///   - byteCount: More than 0.
    @inline(never)
    static func grown(_ room: UnsafeMutableRawPointer?, to byteCount: Int) -> UnsafeMutableRawPointer {
        guard let grown = realloc(room, byteCount) else {
            preconditionFailure("there is no memory left")  // allowed: as where the language's own room is got
        }
        return grown
    }
}
