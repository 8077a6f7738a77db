/// The pixels of an image, to be looked at or put together with those of another.
package struct DecodedImage: Sendable {
    private let raster: Raster

    /// - Parameter header: What ``ImageProbe`` said of the file.
    package init(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits = ImageLimits()
    ) throws(ImageCodecError) {
        raster = try ImageCodecError.wrapping(header.format) { () throws(ImageFault) in
            try ImageCodec.raster(from: bytes, header: header, limits: limits)
        }
    }

    package var width: Int { raster.width }
    package var height: Int { raster.height }
    /// Whether all pixels are those of the file: of one that is cut short or damaged the rest is clear, or black.
    package var isWhole: Bool { raster.completeness == .whole }
    /// Of the pixels.
    package var byteCount: Int { raster.bytes.count }

    /// How far apart the values of a grey pixel may be: packing that loses a little colours grey ones.
    private static let greyness = 4

    /// Whether no pixel has a colour.
    package var isGrey: Bool {
        guard raster.channels >= 3 else { return true }
        return stride(from: 0, to: raster.bytes.count, by: raster.channels).allSatisfy { place in
            let (red, green, blue) = (raster.bytes[place], raster.bytes[place + 1], raster.bytes[place + 2])
            return Int(max(red, green, blue)) - Int(min(red, green, blue)) <= Self.greyness
        }
    }

    /// A picture with the colours of one image and, as its alpha, what another one gives.
    ///
    /// It is as large as the larger of the two; the other one is sampled as engines do, between its pixels.
    /// - Parameters:
    ///   - colors: `nil` for white.
    ///   - isCancelled: Asked at each row.
    ///   - alpha: Of red, green, blue and alpha of the other image, 0...1.
    /// - Returns: `nil` once `isCancelled` said so.
    package static func merged(
        colors: DecodedImage?, opacity: DecodedImage, limits: ImageLimits = ImageLimits(),
        isCancelled: () -> Bool = { false }, _ alpha: (SIMD4<Double>) -> Double
    ) throws(ImageCodecError) -> PNGImage? {
        let (width, height) = mergedSize(colors: colors, opacity: opacity)
        var made = try ImageCodecError.wrapping(.png) { () throws(ImageFault) in
            try Raster(width: width, height: height, channels: 4, limits: limits)
        }
        for y in 0..<height {
            if isCancelled() { return nil }
            for x in 0..<width {
                let place = y * made.rowBytes + x * 4
                let color = colors?.sample(x, y, of: width, height) ?? SIMD4(repeating: 1)
                let value = alpha(opacity.sample(x, y, of: width, height))
                let bytes = (SIMD4(color.x, color.y, color.z, value) * 255).rounded(.toNearestOrAwayFromZero)
                for channel in 0..<4 { made.bytes[place + channel] = UInt8(min(255, max(0, bytes[channel]))) }
            }
        }
        return try ImageCodecError.wrapping(.png) { () throws(ImageFault) in try PNGWriter.write(made) }
    }

    /// Of the picture that two make.
    package static func mergedSize(colors: DecodedImage?, opacity: DecodedImage) -> (width: Int, height: Int) {
        (max(opacity.width, colors?.width ?? 0), max(opacity.height, colors?.height ?? 0))
    }

    /// The colour where a picture of that size has a pixel.
    private func sample(_ x: Int, _ y: Int, of width: Int, _ height: Int) -> SIMD4<Double> {
        guard width != self.width || height != self.height else { return pixel(x, y) }
        let u = (Double(x) + 0.5) * Double(self.width) / Double(width) - 0.5
        let v = (Double(y) + 0.5) * Double(self.height) / Double(height) - 0.5
        let (left, top) = (max(0, u.rounded(.down)), max(0, v.rounded(.down)))
        let (x0, y0) = (Int(left), Int(top))
        let (x1, y1) = (min(self.width - 1, x0 + 1), min(self.height - 1, y0 + 1))
        let (right, below) = (max(0, u - left), max(0, v - top))
        let upper = pixel(x0, y0) * (1 - right) + pixel(x1, y0) * right
        let lower = pixel(x0, y1) * (1 - right) + pixel(x1, y1) * right
        return upper * (1 - below) + lower * below
    }

    private func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
        let place = y * raster.rowBytes + x * raster.channels
        func value(_ channel: Int) -> Double { Double(raster.bytes[place + channel]) / 255 }
        switch raster.channels {
        case 1: return SIMD4(value(0), value(0), value(0), 1)
        case 2: return SIMD4(value(0), value(0), value(0), value(1))
        case 3: return SIMD4(value(0), value(1), value(2), 1)
        default: return SIMD4(value(0), value(1), value(2), value(3))  // numbers of channels
        }
    }
}
