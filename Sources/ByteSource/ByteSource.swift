/// A run of bytes of known size that can be read at any place: a file, memory, a spool, ranges of a web address.
///
/// Reading is safe from several threads at once.
public protocol ByteSource: Sendable {
    /// Bytes in all, at least 0.
    var size: Int64 { get }

    /// Copies bytes from `offset` (0...`size`) on into `buffer`.
    ///
    /// - Returns: How many were copied: at least 1 unless `offset` is at the end or `buffer` is empty, then 0.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int

    /// Says that these bytes, or a beginning of them, will be read from front to back. A source whose bytes come from
    /// far away fetches nothing behind them in advance; for others it means nothing.
    func willRead(_ range: Range<Int64>)

    /// How dear bytes are: what must not be read is better left where they come from far away.
    var distance: ByteDistance { get }
}

/// Where a source's bytes come from.
public enum ByteDistance: Sendable, Hashable {
    /// Memory or a file.
    case here
    /// The network: each place that is read costs a request.
    case far
}

extension ByteSource {
    public func willRead(_ range: Range<Int64>) {}

    public var distance: ByteDistance { .here }
}

extension ByteSource {
    /// Fills `buffer` from `offset` on, by as many reads as that takes.
    ///
    /// - Returns: How many bytes were copied: less than the buffer holds only where the source ends.
    public func readFully(
        at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ByteSourceError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(at: offset + Int64(filled), into: rest)
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// At most `count` bytes from `offset` on; fewer only where the source ends.
    public func bytes(at offset: Int64, count: Int) throws(ByteSourceError) -> [UInt8] {
        let available = max(0, min(Int64(count), size - max(0, offset)))
        // Room for none would be written to where all empty arrays lie.
        guard available > 0 else { return [] }
        var failure: ByteSourceError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(available)) { buffer, filled in
            do throws(ByteSourceError) {
                filled = try readFully(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// How many of `wanted` bytes lie in the source from `offset` on.
    func available(at offset: Int64, wanted: Int) -> Int {
        guard offset >= 0, offset < size else { return 0 }
        return Int(min(Int64(wanted), size - offset))
    }
}
