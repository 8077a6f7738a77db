// After Truevision's TGA specification 2.0. Many a writer leaves bytes for alpha that it never fills: there is alpha only
// where the descriptor counts bits of it.

import ImageProbe

enum TGADecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let image = try TGAHeader(file)
        let pixel = try image.pixel(file)
        let area = image.width * image.height
        let least = image.isPacked ? area / 128 * (1 + pixel.bytes) : area * pixel.bytes
        var raster = try Raster(
            width: image.width, height: image.height, channels: pixel.channels, limits: limits,
            source: (there: file.count - image.start, least: least))
        var packets = TGAPackets(file, at: image.start, pixel: pixel, isPacked: image.isPacked)
        for row in 0..<image.height where !packets.isAtEnd {
            let place = (image.isTopDown ? row : image.height - 1 - row) * raster.rowBytes
            packets.write(image.width, to: &raster.bytes, at: place)
        }
        guard packets.pixels > 0 else { throw .truncated }
        if packets.pixels < area { raster.completeness = .cut }
        if image.isRightToLeft { raster.mirror() }
        if image.isMultiplied(file) { raster.divideByAlpha() }
        return raster
    }
}
