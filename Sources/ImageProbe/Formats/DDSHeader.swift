// Layout after Microsoft's DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10; numbers of the last are DXGI_FORMAT's.

enum DDSHeader: ImageHeaderFormat {
    static let format = ImageFormat.dds
    private static let length = 128
    private static let extendedLength = 148

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= length else { return nil }
        guard bytes.little32(4) == 124, bytes.little32(76) == 32 else { return invalid(.brokenStructure) }
        let hasCode = bytes.little32(80) & 4 != 0
        let isExtended = hasCode && bytes.bytes[84..<88].elementsEqual("DX10".utf8)
        if isExtended, bytes.count < extendedLength { return nil }
        let pixel: DDSPixel
        if isExtended {
            pixel = DDSPixel(dxgi: bytes.little32(128))
        } else if hasCode {
            pixel = DDSPixel(code: String(decoding: bytes.bytes[84..<88], as: UTF8.self), number: bytes.little32(84))
        } else {
            pixel = DDSPixel(bytes)
        }
        let (height, width) = (bytes.little32(12), bytes.little32(16))
        guard width > 0, height > 0 else { return invalid(.zeroSize) }
        guard let block = pixel.block else {
            return image(width: width, height: height, channels: pixel.channels, bitDepth: pixel.depth)
        }
        let texture = CardTexture(
            block: block, levels: max(1, bytes.little32(28)), depth: depth(bytes, isExtended: isExtended),
            layers: layers(bytes, isExtended: isExtended))
        let start = Int64(isExtended ? extendedLength : length)
        return image(
            width: width, height: height, channels: pixel.channels, bitDepth: pixel.depth, layout: .card(texture),
            leastBytes: texture.bytes(width: width, height: height).saturatingAdd(start))
    }

    private static func depth(_ bytes: HeaderBytes, isExtended: Bool) -> Int {
        let isVolume = isExtended ? bytes.little32(132) == 4 : bytes.little32(112) & 0x20_0000 != 0
        return isVolume ? max(1, bytes.little32(24)) : 1
    }

    /// Faces of a cube, each there or not, or members of an array.
    private static func layers(_ bytes: HeaderBytes, isExtended: Bool) -> Int {
        if isExtended { return max(1, bytes.little32(140)) * (bytes.little32(136) & 4 == 0 ? 1 : 6) }
        let kind = bytes.little32(112)
        return kind & 0x200 == 0 ? 1 : max(1, (kind & 0xFC00).nonzeroBitCount)
    }
}
