import ImageProbe

/// Reads one format.
protocol ImageDecoder {
    /// - Throws: Where hardly a pixel can be had.
    static func decode(_ bytes: [UInt8], header: ImageHeader, limits: ImageLimits) throws(ImageFault) -> Raster
}
