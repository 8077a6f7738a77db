/// What an image's header says of its pixels.
public struct ImageHeader: Sendable, Equatable {
    /// How a graphics card holds the pixels of the file as it is.
    public enum Layout: Sendable, Equatable {
        /// Not at all: they are decoded first, to one value a channel.
        case decoded
        /// As they stand in the file.
        case card(CardTexture)
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
        format: ImageFormat, width: Int, height: Int, channels: Int?, bitDepth: Int?, layout: Layout = .decoded,
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
    /// An estimate of the memory that the image takes on a graphics card.
    ///
    /// Decoded images count four values a pixel, each of 8 bits, of 16 where they have more, and all smaller levels: that
    /// is how engines load them. Files made for a card (DDS, KTX) count what they hold.
    public var gpuBytes: Int64 {
        switch layout {
        case .decoded: CardTexture(block: .pixel((bitDepth ?? 8) > 8 ? 8 : 4)).bytes(width: width, height: height)
        case .card(let texture): texture.bytes(width: width, height: height)
        }
    }
}
