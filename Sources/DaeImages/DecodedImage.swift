package import DaeDiagnostics

/// The pixels of an image, to be looked at or put together with those of another.
package struct DecodedImage: Sendable {
    let raster: Raster

    init(_ raster: Raster) { self.raster = raster }

    /// - Parameter header: What ``ImageProbe`` said of the file.
    package init(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits = ImageLimits()
    ) throws(CodedFailure) {
        raster = try CodedFailure.wrapping(header.format) { () throws(ImageFault) in
            try ImageCodec.raster(from: bytes, header: header, limits: limits)
        }
    }

    package var width: Int { raster.width }
    package var height: Int { raster.height }
    /// Whether all pixels are those of the file: of one that is cut short or damaged the rest is clear, or black.
    package var isWhole: Bool { raster.completeness == .whole }
    /// Of the pixels.
    package var byteCount: Int { raster.bytes.count }

    /// Red, green, blue and alpha of each pixel, the top row first.
    package var rgba: [UInt8] {
        guard raster.channels != 4 else { return raster.bytes }
        var result = [UInt8](repeating: 255, count: width * height * 4)
        let (from, channels) = (raster.bytes.span, raster.channels)
        var to = result.mutableSpan
        for pixel in 0..<width * height {
            let (source, target) = (pixel * channels, pixel * 4)
            for channel in 0..<3 { to[target + channel] = from[source + (channels < 3 ? 0 : channel)] }
            if channels == 2 { to[target + 3] = from[source + 1] }
        }
        return result
    }

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
    ) throws(CodedFailure) -> DecodedImage? {
        let (width, height) = mergedSize(colors: colors, opacity: opacity)
        var made = try CodedFailure.wrapping(.png) { () throws(ImageFault) in
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
        return DecodedImage(made)
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

/// Pixels in the form that a graphics card takes.
package struct CardTexture: Sendable, Equatable {
    /// What is stored as one.
    package struct Block: Sendable, Equatable {
        /// Pixels, at least 1; 1 where pixels are not compressed.
        package let width: Int
        package let height: Int
        package let bytes: Int

        /// One pixel by itself.
        package static func pixel(_ bytes: Int) -> Block { Block(width: 1, height: 1, bytes: bytes) }

        /// 4 × 4 pixels.
        static func square(_ bytes: Int) -> Block { Block(width: 4, height: 4, bytes: bytes) }

        /// ASTC's sizes in the order in which Khronos numbers them.
        static func astc(_ index: Int) -> Block {
            let (width, height) = [
                (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10),
                (12, 10), (12, 12),
            ][index]
            return Block(width: width, height: height, bytes: 16)
        }

        /// Two pixels side by side, which share some of their values.
        static let pair = Block(width: 2, height: 1, bytes: 4)
    }

    package let block: Block
    /// The image and its smaller versions, each half as wide and high; `nil` for all down to one pixel.
    package private(set) var levels: Int?
    /// Slices of a volume, halved with each level; 1 for any other image.
    package private(set) var depth = 1
    /// Faces of a cube, members of an array; 1 for any other image.
    package private(set) var layers = 1

    /// Of an image of that size, with all levels and layers; the greatest number where there would be more.
    package func bytes(width: Int, height: Int) -> Int64 {
        var total: Int64 = 0
        var (width, height, depth) = (width, height, depth)
        var left = levels ?? .max
        while left > 0 {
            let (across, down) = ((width - 1) / block.width + 1, (height - 1) / block.height + 1)
            total = total.saturatingAdd(.saturatingProduct(across, down, block.bytes, depth, layers))
            guard width > 1 || height > 1 || depth > 1 else { break }
            (width, height, depth) = (max(1, width / 2), max(1, height / 2), max(1, depth / 2))
            left -= 1
        }
        return total
    }
}

/// What one pixel of a texture for graphics cards is made of: its values, bits of each, and what is stored as one; each
/// part `nil` where it is not known here.
typealias CardPixel = (channels: Int?, depth: Int?, block: CardTexture.Block?)
