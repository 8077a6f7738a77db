import CLibJPEG
import CLibWebP
package import DaeDiagnostics

/// Writes the pixels of textures.
package enum ImageEncoder {
    /// Kinds of files.
    package enum Kind: Sendable {
        case png
        /// Without alpha.
        case jpeg
        case webp
    }

    /// Of both kinds that lose something: no difference is seen on a model, and of most photographs a fifth of a PNG's bytes
    /// is left.
    private static let quality: Int32 = 90

    /// Has what writes such files ready.
    ///
    /// - Throws: Where it is not installed.
    package static func load(_ kind: Kind) throws(CodedFailure) {
        switch kind {
        case .png: break
        case .jpeg: try CodedFailure.wrapping(.jpeg) { () throws(ImageFault) in try JPEGHeader.library.load() }
        case .webp: try CodedFailure.wrapping(.webp) { () throws(ImageFault) in try WebPHeader.library.load() }
        }
    }

    /// The file of an image.
    ///
    /// - Throws: Where a library is not installed, or cannot write an image of this size.
    package static func file(of image: DecodedImage, _ kind: Kind) throws(CodedFailure) -> [UInt8] {
        try load(kind)
        switch kind {
        case .png:
            return try CodedFailure.wrapping(.png) { () throws(ImageFault) in try PNGWriter.write(image.raster).bytes }
        case .jpeg:
            return try CodedFailure.wrapping(.jpeg) { () throws(ImageFault) in
                var raster = image.raster
                raster.keepChannels(raster.channels < 3 ? 1 : 3)
                return try file(of: raster) { pixels, file in
                    dae_jpeg_write(
                        pixels, UInt32(raster.width), UInt32(raster.height), Int32(raster.channels), quality, file)
                } free: {
                    dae_jpeg_free($0)
                }
            }
        case .webp:
            return try CodedFailure.wrapping(.webp) { () throws(ImageFault) in
                let channels = image.raster.channels
                var raster = image.raster
                // It has no grey ones.
                if channels < 3 {
                    raster = try Raster(width: image.width, height: image.height, channels: 4, limits: ImageLimits())
                    raster.bytes = image.rgba
                    if channels == 1 { raster.keepChannels(3) }
                }
                return try file(of: raster) { pixels, file in
                    dae_webp_write(
                        pixels, Int32(raster.width), Int32(raster.height), Int32(raster.channels), Float(quality), file)
                } free: {
                    dae_webp_free($0)
                }
            }
        }
    }

    private static func file(
        of raster: Raster,
        _ write: (UnsafePointer<UInt8>?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int,
        free: (UnsafeMutablePointer<UInt8>?) -> Void
    ) throws(ImageFault) -> [UInt8] {
        var file: UnsafeMutablePointer<UInt8>?
        let size = raster.bytes.withUnsafeBufferPointer { write($0.baseAddress, &file) }
        defer { free(file) }
        guard size > 0, let file else {
            throw .invalid("its \(raster.width) × \(raster.height) pixels cannot be written")
        }
        return Array(UnsafeBufferPointer(start: file, count: size))
    }
}

extension DecodedImage {
    /// Whether its pixels have an alpha.
    package var hasAlpha: Bool { raster.hasAlpha }

    /// The same without an alpha that is opaque everywhere.
    package var withoutOpaqueAlpha: DecodedImage {
        var raster = raster
        raster.dropOpaqueAlpha()
        return DecodedImage(raster)
    }

    /// An image that has `side` pixels a side at most, each the mean of those that it covers; colours count by their alpha.
    package func reduced(to side: Int) -> DecodedImage {
        guard max(width, height) > side, side > 0 else { return self }
        let scale = Double(side) / Double(max(width, height))
        let across = Span(of: width, into: max(1, Int((Double(width) * scale).rounded())))
        let down = Span(of: height, into: max(1, Int((Double(height) * scale).rounded())))
        guard
            var made = try? Raster(
                width: across.count, height: down.count, channels: raster.channels, limits: ImageLimits())
        else { return self }
        let (channels, colours) = (raster.channels, raster.hasAlpha ? raster.channels - 1 : raster.channels)
        let (from, row) = (raster.bytes.span, raster.rowBytes)
        var to = made.bytes.mutableSpan
        for y in 0..<down.count {
            for x in 0..<across.count {
                var (sum, plain, alpha, area) = (SIMD4<Double>(), SIMD4<Double>(), 0.0, 0.0)
                for (sourceY, height) in down.parts(of: y) {
                    for (sourceX, width) in across.parts(of: x) {
                        let place = sourceY * row + sourceX * channels
                        let weight = width * height
                        let opacity = colours < channels ? Double(from[place + colours]) / 255 : 1
                        var color = SIMD4<Double>()
                        for channel in 0..<colours { color[channel] = Double(from[place + channel]) }
                        sum += color * (weight * opacity)
                        plain += color * weight
                        alpha += weight * opacity
                        area += weight
                    }
                }
                // What is clear keeps its colours: materials may pass alpha over.
                let color = alpha > 0 ? sum / alpha : plain / area
                let place = (y * across.count + x) * channels
                for channel in 0..<colours { to[place + channel] = Self.byte(color[channel]) }
                if colours < channels { to[place + colours] = Self.byte(alpha / area * 255) }
            }
        }
        return DecodedImage(made)
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }

    /// How pixels of one side stand for those of a longer one.
    private struct Span {
        private let length: Double
        let count: Int

        init(of length: Int, into count: Int) { (self.length, self.count) = (Double(length), count) }

        /// The pixels that one covers, and how much of each.
        func parts(of index: Int) -> some Sequence<(Int, Double)> {
            let (start, end) = (length * Double(index) / Double(count), length * Double(index + 1) / Double(count))
            let last = min(Int(length), Int(end.rounded(.up)))
            return (Int(start)..<last).lazy.map { place in
                (place, min(end, Double(place + 1)) - max(start, Double(place)))
            }
        }
    }
}
