import CTextScan

/// Tables that are larger than the processor's cache.
package enum MemoryFetch {
    /// Has the line of memory that is at an address fetched, for a look at it a little later: in a large table that look
    /// would wait for a tenth of a microsecond.
    @inline(__always)
    package static func begin(_ address: UnsafeRawPointer) { dae_fetch(address) }
}
