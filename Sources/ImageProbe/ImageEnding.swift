// A download that was cut shows at the end of its file: what a decoder would find out last is seen by the size that the
// header tells, or by the mark that the format ends with. Nothing is decoded.

/// Whether an image file goes on to its end.
///
/// Push all of the file's bytes in order, or its size and last bytes where it can be read at any place.
public struct ImageEnding: Sendable {
    /// How many last bytes matter.
    public static let tailLength = 4096

    /// Bytes pushed so far.
    public private(set) var size: Int64 = 0
    private var tail: [UInt8] = []

    public init() {}

    /// - Parameter tail: The last ``tailLength`` bytes of the file, all where it is shorter.
    public init(size: Int64, tail: [UInt8]) {
        self.size = size
        self.tail = tail
    }

    public mutating func push(_ bytes: Span<UInt8>) {
        size += Int64(bytes.count)
        for index in max(0, bytes.count - Self.tailLength)..<bytes.count { tail.append(bytes[index]) }
        if tail.count > Self.tailLength { tail.removeFirst(tail.count - Self.tailLength) }
    }

    public mutating func push(_ bytes: [UInt8]) { push(bytes.span) }

    /// Whether the file of that header is cut short; `nil` where nothing outside its pixels tells.
    public func isTruncated(_ header: ImageHeader) -> Bool? {
        if let least = header.leastBytes { return size < least }
        switch header.format {
        // Some writers add bytes behind the end, or fill up with zeros.
        case .png: return !contains(Array("IEND".utf8))
        case .jpeg: return !contains([0xFF, 0xD9])
        // One byte long, so it means something at the very end alone.
        case .gif: return tail.last { $0 != 0 } != 0x3B
        case .bmp, .tiff, .dds, .ktx, .ktx2, .webp, .psd, .hdr, .tga: return nil
        }
    }

    private func contains(_ mark: [UInt8]) -> Bool {
        tail.indices.contains { tail[$0...].starts(with: mark) }
    }
}
