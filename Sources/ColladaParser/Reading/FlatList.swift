// Each event of a document adds to lists like these, so that what an append costs is a good part of what reading does.

import Glibc

/// Values one behind the other in memory that is used again; freed by whoever made it.
struct FlatList<Element: BitwiseCopyable> {
    private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutablePointer<Element>

    private static var firstCapacity: Int { 256 }

    /// Whether there is no more room than at first.
    var isSmall: Bool { capacity == Self.firstCapacity }

    init() {
        capacity = Self.firstCapacity
        base = Self.room(capacity, goingOn: nil)
    }

    func free() { Glibc.free(base) }

    private static func room(
        _ capacity: Int, goingOn room: UnsafeMutablePointer<Element>?
    ) -> UnsafeMutablePointer<Element> {
        GrowingRoom.grown(room, to: capacity * MemoryLayout<Element>.stride).assumingMemoryBound(to: Element.self)
    }

    /// The one at a place that is held; valid until the next is added.
    @inline(__always)
    func at(_ index: Int) -> UnsafeMutablePointer<Element> { base + index }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Adds so many, which the caller has to write, and gives the place of the first; valid until the next is added.
    @inline(__always)
    mutating func extend(by more: Int) -> UnsafeMutablePointer<Element> {
        while more > capacity &- count { grow() }
        defer { count &+= more }
        return base + count
    }

    /// `nil` where there is none.
    @inline(__always)
    var lastPlace: Int? { count > 0 ? count &- 1 : nil }

    /// Forgets what was added since there were `count`.
    @inline(__always)
    mutating func shorten(to count: Int) { self.count = count }

    @inline(never)
    private mutating func grow() {
        capacity *= 2
        base = Self.room(capacity, goingOn: base)
    }
}
