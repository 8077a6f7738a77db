// Memory is got when it is first written to. Page by page that takes longer than decoding what is written there.

#if canImport(Glibc)
    import Glibc
#endif

extension Array where Element: BitwiseCopyable {
    /// Bytes from which on large pages are asked for; such an array holds one for certain.
    private static var leastOfLargePages: Int { 4 << 20 }

    /// Bytes from which on a call for all pages is less than what each costs by itself.
    private static var leastOfAll: Int { 32 << 10 }

    /// Asks for large pages for room that nothing was written to; no more memory is taken for that.
    mutating func adviseLargePages() {
        guard roomBytes >= Self.leastOfLargePages else { return }
        #if canImport(Glibc)
            let page = 2 << 20
            withRoom { room in
                let start = room.lowerBound.alignedUp(toMultipleOf: page)
                let count = room.upperBound.alignedDown(toMultipleOf: page) - start
                if count > 0 { _ = madvise(start, count, MADV_HUGEPAGE) }
            }
        #endif
    }

    /// Gets the pages of room that will be written to its end.
    mutating func populate() {
        guard roomBytes >= Self.leastOfAll else { return }
        #if canImport(Glibc)
            let page = 4 << 10
            withRoom { room in
                let start = room.lowerBound.alignedDown(toMultipleOf: page)
                // Only a wish: a kernel older than 5.14 does not know it.
                _ = madvise(start, room.upperBound.alignedUp(toMultipleOf: page) - start, MADV_POPULATE_WRITE)
            }
        #endif
    }

    private var roomBytes: Int { capacity * MemoryLayout<Element>.stride }

    private mutating func withRoom(_ body: (Range<UnsafeMutableRawPointer>) -> Void) {
        let bytes = roomBytes
        withUnsafeMutableBufferPointer { buffer in
            guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            body(base..<base + bytes)
        }
    }
}
