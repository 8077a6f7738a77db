// Behind what is held there is always room for padding, so that numbers are read where they lie.

import Glibc
import NumberDecoding

/// Bytes put one behind the other in memory that is used again; freed by whoever made it.
struct ByteArena {
    /// White space that can be put behind a text, in bytes.
    static let padding = NumberText.padding

    private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutableRawPointer

    private static let firstCapacity = 4096

    /// Whether there is no more room than at first.
    var isSmall: Bool { capacity == Self.firstCapacity }

    init() {
        capacity = Self.firstCapacity
        base = GrowingRoom.grown(nil, to: capacity + Self.padding)
    }

    func free() { Glibc.free(base) }

    /// Must lie within what is held; valid until the next change.
    func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + start, count: count)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if bytes.count > capacity &- count { grow(for: bytes.count) }
        (base + count).copyMemory(from: source, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// Adds ``padding`` bytes of white space.
    mutating func appendPadding() {
        if Self.padding > capacity - count { grow(for: Self.padding) }
        (base + count).initializeMemory(as: UInt8.self, repeating: 0x20, count: Self.padding)
        count += Self.padding
    }

    /// Forgets what was added since there were `count` bytes.
    mutating func shorten(to count: Int) { self.count = count }

    @inline(never)
    private mutating func grow(for more: Int) {
        // What is added was read from memory, so no sum here comes near the largest number.
        capacity = max(2 * capacity, count + more)
        base = GrowingRoom.grown(base, to: capacity + Self.padding)
    }
}
