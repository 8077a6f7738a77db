/// A window of another source, such as a stored entry of an archive.
public struct SlicedByteSource: ByteSource {
    private let base: any ByteSource
    private let start: Int64
    public let size: Int64

    /// The window of `size` bytes from `start` on; what lies outside `base` is cut off.
    public init(_ base: any ByteSource, from start: Int64, size: Int64) {
        self.base = base
        self.start = min(max(0, start), base.size)
        self.size = min(max(0, size), base.size - self.start)
    }

    public var distance: ByteDistance { base.distance }

    public func willRead(_ range: Range<Int64>) {
        let inside = range.clamped(to: 0..<size)
        base.willRead(start + inside.lowerBound..<start + inside.upperBound)
    }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let count = available(at: offset, wanted: buffer.count)
        guard count > 0 else { return 0 }
        return try base.read(at: start + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
}
