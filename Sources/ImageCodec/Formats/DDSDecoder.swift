import ImageProbe

/// Reads the greatest level of the first layer of a DDS: blocks of BC1 to BC5 without a sign, and plain pixels.
///
/// Two channels (BC5) are the first two numbers of a direction, as normal maps have them: the third follows from its
/// length of 1.
enum DDSDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let image = try DDSHeader(file)
        var raster: Raster
        switch image.form {
        case .blocks(let kind): raster = try blocks(kind, file, image, limits)
        case .pixels(let size, let fields): raster = try pixels(size, fields, file, image, limits)
        }
        switch image.alpha {
        case .straight: break
        case .multiplied: raster.divideByAlpha()
        case .none: raster.keepChannels(3)
        }
        return raster
    }

    private static func pixels(
        _ size: Int, _ fields: BitFields, _ file: FileBytes, _ image: DDSHeader, _ limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try limits.check(width: image.width, height: image.height, channels: fields.count)
        let area = image.width * image.height
        var raster = try Raster(
            width: image.width, height: image.height, channels: fields.count, limits: limits,
            source: (there: file.count - image.start, least: area * size))
        let there = min(area, max(0, file.count - image.start) / size)
        guard there > 0 else { throw .truncated }
        for index in 0..<there {
            fields.write(
                file.little(image.start + index * size, bytes: size), to: &raster.bytes, at: index * fields.count)
        }
        if there < area { raster.completeness = .cut }
        return raster
    }

    private static func blocks(
        _ kind: BlockKind, _ file: FileBytes, _ image: DDSHeader, _ limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try limits.check(width: image.width, height: image.height, channels: kind.channels)
        let (across, down) = ((image.width + 3) / 4, (image.height + 3) / 4)
        var raster = try Raster(
            width: image.width, height: image.height, channels: kind.channels, limits: limits,
            source: (there: file.count - image.start, least: across * down * kind.bytes))
        let there = min(across * down, max(0, file.count - image.start) / kind.bytes)
        guard there > 0 else { throw .truncated }
        var decoder = BlockDecoder(kind)
        for index in 0..<there {
            decoder.decode(file, at: image.start + index * kind.bytes)
            let (left, top) = (index % across * 4, index / across * 4)
            for y in 0..<min(4, image.height - top) {
                let target = (top + y) * raster.rowBytes + left * kind.channels
                for place in 0..<(min(4, image.width - left) * kind.channels) {
                    raster.bytes[target + place] = decoder.values[y * 4 * kind.channels + place]
                }
            }
        }
        if there < across * down { raster.completeness = .cut }
        return raster
    }
}
