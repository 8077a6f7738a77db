import ImageProbe

/// How large an image may be before it is decoded.
public struct ImageLimits: Sendable, Equatable {
    /// Pixels of width or height.
    public var side: Int
    /// Bytes of all pixels when decoded, one a channel.
    public var bytes: Int

    public init(side: Int = 16_384, bytes: Int = 256 << 20) {
        self.side = side
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - width: As the file says, at least 0.
    ///   - channels: 1...4
    func check(width: Int, height: Int, channels: Int) throws(ImageFault) {
        let area = width.multipliedReportingOverflow(by: height)
        let size = area.partialValue.multipliedReportingOverflow(by: channels)
        guard !area.overflow, !size.overflow, width <= side, height <= side, size.partialValue <= bytes else {
            throw .tooLarge(width: width, height: height, limits: self)
        }
    }

    func check(_ format: ImageFormat, width: Int, height: Int, channels: Int) throws(ImageCodecError) {
        do throws(ImageFault) {
            try check(width: width, height: height, channels: channels)
        } catch {
            throw ImageCodecError(format, error)
        }
    }
}
