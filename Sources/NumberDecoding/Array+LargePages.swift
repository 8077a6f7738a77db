// Memory is got when it is first written to. Page by page that takes longer than decoding what is written there.

#if canImport(Glibc)
    import Glibc
#endif

extension Array where Element: BitwiseCopyable {
    /// Bytes from which on large pages are asked for; such an array holds one for certain.
    private static var leastBytes: Int { 4 << 20 }

    /// Asks for large pages for room that nothing was written to; no more memory is taken for that.
    mutating func adviseLargePages() {
        #if canImport(Glibc)
            guard capacity * MemoryLayout<Element>.stride >= Self.leastBytes else { return }
            let page = 2 << 20
            let bytes = capacity * MemoryLayout<Element>.stride
            withUnsafeMutableBufferPointer { buffer in
                guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
                let start = base.alignedUp(toMultipleOf: page)
                let count = (base + bytes).alignedDown(toMultipleOf: page) - start
                if count > 0 { _ = madvise(start, count, MADV_HUGEPAGE) }
            }
        #endif
    }
}
