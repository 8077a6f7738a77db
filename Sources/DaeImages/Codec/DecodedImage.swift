/// The pixels of an image, to be looked at or put together with those of another.
package struct DecodedImage: Sendable {
    private let raster: Raster

    /// - Parameter header: What ``ImageProbe`` said of the file.
    package init(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits = ImageLimits()
    ) throws(ImageCodecError) {
        raster = try ImageCodec.raster(from: bytes, header: header, limits: limits)
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
        var made: Raster
        do throws(ImageFault) {
            made = try Raster(width: width, height: height, channels: 4, limits: limits)
        } catch {
            throw ImageCodecError(.png, error)
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
        return try PNGWriter.write(made, of: .png)
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

/// Decoded pixels, 8 bits a value, the top row first, no bytes between rows.
struct Raster {
    let width: Int
    let height: Int
    /// As in ``PNGImage``.
    private(set) var channels: Int
    /// width × height × channels.
    var bytes: [UInt8]
    var completeness = PNGImage.Completeness.whole

    /// A file that holds a smaller part of its pixels is not worth the memory that it claims.
    private static let leastPart = 64

    /// Clear black, or black.
    ///
    /// - Parameter source: Of the pixels in the file: how many bytes are there, and how many all take at least.
    init(
        width: Int, height: Int, channels: Int, limits: ImageLimits, source: (there: Int, least: Int) = (0, 0)
    ) throws(ImageFault) {
        guard width > 0, height > 0 else { throw .invalid("width or height is 0") }
        try limits.check(width: width, height: height, channels: channels)
        guard source.there >= source.least / Self.leastPart else { throw .truncated }
        self.width = width
        self.height = height
        self.channels = channels
        bytes = [UInt8](repeating: 0, count: width * height * channels)
    }

    private var hasAlpha: Bool { channels == 2 || channels == 4 }
    var rowBytes: Int { width * channels }

    /// Whether alpha is 0 everywhere.
    var isClear: Bool {
        hasAlpha && !stride(from: channels - 1, to: bytes.count, by: channels).contains { bytes[$0] != 0 }
    }

    /// Whether no colour is other than black: so looks an image of which nothing could be decoded.
    var isBlack: Bool {
        let colours = hasAlpha ? channels - 1 : channels
        return !bytes.indices.contains { $0 % channels < colours && bytes[$0] != 0 }
    }

    /// The last channel goes where it says nothing.
    mutating func dropOpaqueAlpha() {
        guard hasAlpha else { return }
        for place in stride(from: channels - 1, to: bytes.count, by: channels) where bytes[place] != 255 { return }
        keepChannels(channels - 1)
    }

    /// Drops the channels behind the first `count`.
    mutating func keepChannels(_ count: Int) {
        if count < channels { keep(Array(0..<count)) }
    }

    /// Of colours that are all grey only one channel, and alpha.
    mutating func keepGrey() {
        if channels > 2 { keep(channels == 4 ? [0, 3] : [0]) }
    }

    private mutating func keep(_ kept: [Int]) {
        var (from, to) = (0, 0)
        while from < bytes.count {
            for channel in kept {
                bytes[to] = bytes[from + channel]
                to += 1
            }
            from += channels
        }
        bytes.removeLast(bytes.count - to)
        channels = kept.count
    }

    /// Divides colours by the alpha that they were multiplied by.
    mutating func divideByAlpha() {
        guard hasAlpha else { return }
        let colours = channels - 1
        for start in stride(from: 0, to: bytes.count, by: channels) {
            let alpha = Int(bytes[start + colours])
            guard alpha > 0, alpha < 255 else { continue }
            for place in start..<(start + colours) {
                bytes[place] = UInt8(min(255, Int(bytes[place]) * 255 / alpha))
            }
        }
    }

    /// Turns rows around, left to right.
    mutating func mirror() {
        for row in 0..<height {
            var (left, right) = (row * rowBytes, (row + 1) * rowBytes - channels)
            while left < right {
                for channel in 0..<channels { bytes.swapAt(left + channel, right + channel) }
                left += channels
                right -= channels
            }
        }
    }
}
