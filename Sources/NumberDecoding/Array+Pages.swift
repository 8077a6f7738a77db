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
    mutating func populate() { populate(bytes: roomBytes) }

    /// Gets the pages of the next bytes that will be written behind the elements; of no more than there is room for.
    mutating func populate(bytes: Int) {
        let start = count * MemoryLayout<Element>.stride
        let length = Swift.min(bytes, roomBytes - start)
        guard length >= Self.leastOfAll else { return }
        #if canImport(Glibc)
            let page = 4 << 10
            withRoom { room in
                let first = (room.lowerBound + start).alignedDown(toMultipleOf: page)
                let end = (room.lowerBound + start + length).alignedUp(toMultipleOf: page)
                // Only a wish: a kernel older than 5.14 does not know it.
                _ = madvise(first, end - first, MADV_POPULATE_WRITE)
            }
        #endif
    }

    /// Of its room; `nil` where that is too little for a call of the system.
    var addresses: Range<UInt>? {
        guard roomBytes >= Self.leastOfAll else { return nil }
        return withUnsafeBufferPointer { buffer in
            let start = UInt(bitPattern: buffer.baseAddress)
            return start..<start + UInt(roomBytes)
        }
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
