/// Bytes held in memory.
public struct MemoryByteSource: ByteSource {
    public let contents: [UInt8]

    public init(_ contents: [UInt8]) {
        self.contents = contents
    }

    public var size: Int64 { Int64(contents.count) }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = available(at: offset, wanted: buffer.count)
        guard count > 0 else { return 0 }
        let start = Int(offset)
        contents.withUnsafeBytes { all in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<start + count]))
        }
        return count
    }
}
