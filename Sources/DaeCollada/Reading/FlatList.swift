// Each event of a document adds to lists like these, so that what an append costs is a good part of what reading does: an
// array's would cost a count of its owners at each look.

import DaeCore
import DaeNumbers

// An element of a list that a struct holds is of no private type: where another file holds that struct, Swift 6.3 fails.

/// Values one behind the other in memory that is used again. It grows where it is, if it is long: the system then moves its
/// pages and copies nothing.
struct FlatList<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    private var base: UnsafeMutablePointer<Element>

    private static var firstCapacity: Int { max(4096 / MemoryLayout<Element>.stride, 1) }
    /// Bytes behind the last element, for numbers that are read where they lie.
    private static var margin: Int { NumberText.padding }

    init() {
        base = Self.buffer(Self.firstCapacity, insteadOf: nil)
        capacity = Self.firstCapacity
    }

    deinit { free(base) }

    private static func buffer(
        _ capacity: Int, insteadOf old: UnsafeMutablePointer<Element>?
    ) -> UnsafeMutablePointer<Element> {
        guard let grown = realloc(old, capacity * MemoryLayout<Element>.stride + margin) else {
            preconditionFailure("there is no memory left")  // allowed: as where the language's own room is got
        }
        return grown.assumingMemoryBound(to: Element.self)
    }

    /// The one at a place that is held; valid until the next is added.
    @inline(__always)
    func at(_ index: Int) -> UnsafeMutablePointer<Element> { base + index }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Adds so many, which the caller has to write, and gives the place of the first; valid until the next is added.
    @inline(__always)
    mutating func extend(by more: Int) -> UnsafeMutablePointer<Element> {
        if more > capacity &- count { grow(to: count + more) }
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
    private mutating func grow(to least: Int) {
        // What is added was read from memory, so no number here comes near the largest.
        capacity = max(2 * capacity, least)
        base = Self.buffer(capacity, insteadOf: base)
    }
}

/// Bytes one behind the other.
typealias ByteArena = FlatList<UInt8>

extension ByteArena {
    /// White space that can be put behind a text, in bytes.
    static var padding: Int { NumberText.padding }

    /// Must lie within what is held; valid until the next change.
    func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: at(start), count: count)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        UnsafeMutableRawPointer(extend(by: bytes.count)).copyMemory(from: source, byteCount: bytes.count)
    }

    /// Adds ``padding`` bytes of white space.
    mutating func appendPadding() { extend(by: Self.padding).initialize(repeating: 0x20, count: Self.padding) }
}
