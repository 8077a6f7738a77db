// The system gives memory one page at each first touch, which is a fifth of the time of a large document that is kept. A
// run of pages that are got at once takes two thirds of that.

#if canImport(Glibc)
    import Glibc
#endif

/// Gets the pages by which the heap has grown before they are written to.
struct HeapAhead {
    /// Growth before anything is done: a small document touches a few pages and no run of them.
    private static let patience: UInt = 1 << 20
    private static let page: UInt = 4096

    private let beginning: UInt
    /// Up to where pages are there.
    private var reached: UInt

    init() {
        beginning = Self.end &+ Self.patience
        reached = beginning
    }

    /// To be called between pieces of what is kept; mostly there is nothing to do.
    @inline(__always) mutating func follow() {
        let end = Self.end
        if end != reached { move(to: end) }
    }

    private mutating func move(to end: UInt) {
        let start = reached
        // What was given back is got again when the heap grows again.
        reached = max(end, beginning)
        guard end > start else { return }
        #if canImport(Glibc)
            let first = start / Self.page * Self.page
            // Only a wish: a kernel older than 5.14 does not know it.
            _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_POPULATE_WRITE)
        #endif
    }

    /// Of the process's one heap that grows without a gap; others are left to themselves.
    private static var end: UInt {
        #if canImport(Glibc)
            UInt(bitPattern: sbrk(0))
        #else
            0
        #endif
    }
}
