/// What an image's header says of its pixels.
public struct ImageHeader: Sendable, Hashable {
    public let format: ImageFormat
    /// Pixels, at least 1.
    public let width: Int
    /// Pixels, at least 1.
    public let height: Int
    /// Values a pixel, 1...4; those of the palette's colours where there is a palette.
    public let channels: Int
    /// Bits a value, 1...16; those of the index where there is a palette.
    public let bitDepth: Int

    public init(format: ImageFormat, width: Int, height: Int, channels: Int, bitDepth: Int) {
        self.format = format
        self.width = width
        self.height = height
        self.channels = channels
        self.bitDepth = bitDepth
    }
}
