import ImageProbe

/// How large an image may be before it is decoded.
public struct ImageLimits: Sendable, Equatable {
    /// Pixels of width or height.
    public var side: Int
    /// Bytes of all pixels when decoded, one a channel.
    public var bytes: Int
    /// Bytes that decoding may take, those of the pixels among them.
    public var memory: Int

    public init(side: Int = 16_384, bytes: Int = 256 << 20, memory: Int = 400_000_000) {
        self.side = side
        self.bytes = bytes
        self.memory = memory
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

    /// - Parameter extra: Bytes that a decoder needs beside the pixels.
    func check(_ raster: Raster, extra: Int) throws(ImageFault) {
        guard extra <= memory - raster.bytes.count else {
            throw .tooLarge(width: raster.width, height: raster.height, limits: self)
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
