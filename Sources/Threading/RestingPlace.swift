public import Synchronization

/// Where room rests that one document is done with until the next one takes it: to have it from the system again takes a
/// good part of the time in which a small document is read. It holds one, as most programs read one document at a time.
// Each use is compiled where it stands: asked of the runtime, the room's type would take longer than the room.
public final class RestingPlace<Room: Sendable>: Sendable {
    @usableFromInline let room = Mutex<Room?>(nil)

    @inlinable public init() {}

    /// `nil` where none rests.
    @inlinable @inline(__always)
    public func take() -> Room? { exchange(nil) }

    /// - Returns: What rested here before, which is the caller's to free.
    @inlinable @inline(__always)
    public func leave(_ room: Room) -> Room? { exchange(room) }

    @inlinable @inline(__always)
    func exchange(_ other: Room?) -> Room? {
        room.withLock { room in
            let former = room
            room = other
            return former
        }
    }
}
