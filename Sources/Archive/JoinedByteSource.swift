import ByteSource

/// A few sources, read as if they lay one behind the other.
struct JoinedByteSource: ByteSource {
    private let parts: [any ByteSource]
    let size: Int64

    init(_ parts: [any ByteSource]) {
        self.parts = parts
        size = parts.reduce(0) { $0 + $1.size }
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        var rest = offset
        for part in parts {
            guard rest >= part.size else { return try part.read(at: rest, into: buffer) }
            rest -= part.size
        }
        return 0
    }
}
