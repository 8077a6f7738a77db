/// What an image's header says of its pixels.
public struct ImageHeader: Sendable, Equatable {
    /// How a graphics card holds the pixels of the file as it is.
    public enum Layout: Sendable, Equatable {
        /// Each for itself; a decoder gives one value a channel.
        case pixels
        /// Compressed for the card, in blocks of `width` × `height` pixels.
        case blocks(width: Int, height: Int, bytes: Int)
    }

    public let format: ImageFormat
    /// Pixels, at least 1.
    public let width: Int
    /// Pixels, at least 1.
    public let height: Int
    /// Values a pixel, 1...4; those of the palette's colours where there is a palette; `nil` where the header does not
    /// say.
    public let channels: Int?
    /// Bits a value, 1...32; those of the index where there is a palette; `nil` where the header does not say.
    public let bitDepth: Int?
    public let layout: Layout
    /// A file of fewer bytes is cut short; `nil` where the size of the pixels is not known without decoding them.
    public let leastBytes: Int64?

    public init(
        format: ImageFormat, width: Int, height: Int, channels: Int?, bitDepth: Int?, layout: Layout = .pixels,
        leastBytes: Int64? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.channels = channels
        self.bitDepth = bitDepth
        self.layout = layout
        self.leastBytes = leastBytes
    }
}

extension ImageHeader {
    /// An estimate of the memory that the image takes on a graphics card, with all its smaller levels.
    ///
    /// Decoded images count four values a pixel, each of 8 bits, of 16 where they have more: that is how engines load
    /// them. Blocks stay as they are.
    public var gpuBytes: Int64 {
        var total: Int64 = 0
        var (width, height) = (width, height)
        while true {
            total = total.saturatingAdd(levelBytes(width: width, height: height))
            guard width > 1 || height > 1 else { return total }
            (width, height) = (max(1, width / 2), max(1, height / 2))
        }
    }

    private func levelBytes(width: Int, height: Int) -> Int64 {
        switch layout {
        case .pixels:
            Int64.saturatingProduct(width, height, (bitDepth ?? 8) > 8 ? 8 : 4)
        case .blocks(let blockWidth, let blockHeight, let bytes):
            Int64.saturatingProduct((width - 1) / blockWidth + 1, (height - 1) / blockHeight + 1, bytes)
        }
    }
}

extension Int64 {
    /// The product of numbers that are not negative, or the greatest number where it would be above that.
    static func saturatingProduct(_ factors: Int...) -> Int64 {
        factors.reduce(1) { product, factor in
            let (result, overflow) = product.multipliedReportingOverflow(by: Int64(factor))
            return overflow ? .max : result
        }
    }

    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
