import ImageProbe

/// Reads BMP of Windows and OS/2. The fourth byte of 32 bits is alpha only where the header has a mask for it.
enum BMPDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let image = try BMPHeader(file)
        switch image.form {
        case .indices:
            return try rows(file, image, channels: 3, limits: limits) { place, output, target in
                let index = Int(file.all[place.byte] >> UInt8(8 - image.bits - place.bit)) & (1 << image.bits - 1)
                image.writeColour(index, to: &output, at: target)
            }
        case .colours(let fields):
            let size = image.bits / 8
            return try rows(file, image, channels: fields.count, limits: limits) { place, output, target in
                fields.write(file.little(place.byte, bytes: size), to: &output, at: target)
            }
        case .runs:
            var raster = try Raster(width: image.width, height: image.height, channels: 3, limits: limits)
            var runs = BMPRuns(file, image)
            runs.fill(&raster)
            guard runs.pixels > 0 else { throw .truncated }
            if !runs.isComplete { raster.completeness = .cut }
            return raster
        }
    }

    /// Where a pixel begins.
    private struct PixelPlace {
        let byte: Int
        let bit: Int
    }

    /// Rows that are not packed, each of whole numbers of 32 bits.
    private static func rows(
        _ file: FileBytes, _ image: BMPHeader, channels: Int, limits: ImageLimits,
        write: (PixelPlace, inout [UInt8], Int) -> Void
    ) throws(ImageFault) -> Raster {
        try limits.check(width: image.width, height: image.height, channels: channels)
        let rowSize = (image.width * image.bits + 31) / 32 * 4
        var raster = try Raster(
            width: image.width, height: image.height, channels: channels, limits: limits,
            source: (there: file.count - image.start, least: image.height * rowSize))
        for row in 0..<image.height {
            let start = image.start + row * rowSize
            let there = min(image.width, max(0, file.count - start) * 8 / image.bits)
            let target = image.line(row) * raster.rowBytes
            for x in 0..<there {
                let bit = x * image.bits
                write(PixelPlace(byte: start + bit / 8, bit: bit % 8), &raster.bytes, target + x * channels)
            }
            guard there < image.width else { continue }
            guard row > 0 || there > 0 else { throw .truncated }
            raster.completeness = .cut
            break
        }
        return raster
    }
}

extension BMPHeader {
    /// Where the file's row stands in the image, from the top.
    func line(_ row: Int) -> Int { isTopDown ? row : height - 1 - row }

    /// Black where there is no such colour.
    func writeColour(_ index: Int, to output: inout [UInt8], at target: Int) {
        guard index * 3 < palette.count else { return }
        for channel in 0..<3 { output[target + channel] = palette[index * 3 + channel] }
    }
}
