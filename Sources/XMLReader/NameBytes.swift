import CTextScan

/// What the texts of ids and names consist of, sixteen bytes at a time.
package enum NameBytes {
    /// Whether so many bytes, at least 8, are letters, digits, `-`, `.` and `_` of ASCII alone.
    package static func areAll(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
        precondition(count >= 8, "fewer bytes than are read")
        return dae_are_in_names(base.assumingMemoryBound(to: UInt8.self), count) != 0
    }
}
