// Arrays that are each too small for a large page lie side by side at the end of the C library's heap. Room got and given
// back at once stays there for the next ones, and remembers that it is to be made of large pages.

#if canImport(Glibc)
    import Glibc
#endif

/// Large pages for many small arrays that are kept: page by page, getting memory takes longer than decoding.
struct HeapPages {
    /// Where room was made last: addresses.
    private var room = 0..<0
    /// Bytes of arrays elsewhere since.
    private var elsewhere = 0

    /// Room that is made at a time; takes no memory before it is written to. The heap keeps twice that when it is free.
    private static let step = 16 << 20
    /// Elsewhere, in so many bytes, pages are few.
    private static let leastBytes = 1 << 20

    /// Makes room for the next arrays, where this one shows that there is none.
    mutating func note<Number>(_ array: [Number]) {
        #if canImport(Glibc)
            let bytes = array.capacity * MemoryLayout<Number>.stride
            let start = array.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
            guard !room.contains(start), bytes < Self.step else { return }
            elsewhere += bytes
            guard elsewhere > Self.leastBytes else { return }
            elsewhere = 0
            room = Self.makeRoom()
        #endif
    }

    #if canImport(Glibc)
        private static func makeRoom() -> Range<Int> {
            var room = 0..<0
            // The first time the system has it back, and from then on the heap gives as much.
            for _ in 0..<2 {
                guard let start = malloc(step) else { return room }
                let page = 2 << 20
                let first = start.alignedUp(toMultipleOf: page)
                let count = (start + step).alignedDown(toMultipleOf: page) - first
                if count > 0 { _ = madvise(first, count, MADV_HUGEPAGE) }
                room = Int(bitPattern: start)..<Int(bitPattern: start) + step
                free(start)
            }
            return room
        }
    #endif
}
