// The system gives memory one page at each first touch, which is a fifth of the time of a large document that is kept. A
// run of pages that are got at once takes two thirds of that.

#if canImport(Glibc)
    import Glibc
#endif

/// Gets the pages by which the heap has grown before they are written to.
struct HeapAhead {
    /// Growth before anything is done: a small document touches a few pages and no run of them.
    static let patience: UInt = 1 << 20
    /// Growth by more is room for one long list, of which what is never written is to take no memory.
    static let mostAtOnce: UInt = 1 << 20
    private static let page: UInt = 4096

    private let beginning: UInt
    /// Up to where pages are there.
    private var reached: UInt

    /// - Parameter end: Of the heap, an address.
    init(at end: UInt = Self.end) {
        beginning = end &+ Self.patience
        reached = beginning
    }

    /// To be called between pieces of what is kept; mostly there is nothing to do.
    @inline(__always) mutating func follow() {
        let end = Self.end
        if end != reached { Self.get(growth(to: end)) }
    }

    /// What is to be got, by addresses, where the heap ends there now.
    mutating func growth(to end: UInt) -> Range<UInt> {
        let start = reached / Self.page * Self.page
        // What was given back is got again when the heap grows again.
        reached = max(end, beginning)
        guard end > start, end - start <= Self.mostAtOnce else { return end..<end }
        return start..<end
    }

    private static func get(_ pages: Range<UInt>) {
        guard !pages.isEmpty else { return }
        #if canImport(Glibc)
            // Only a wish: a kernel older than 5.14 does not know it.
            _ = madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_POPULATE_WRITE)
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
