// Layout after Khronos' KTX 2 specification; the formats' numbers are Vulkan's, 0 where the pixels are Basis Universal's.

enum KTX2Header: ImageHeaderFormat {
    static let format = ImageFormat.ktx2
    private static let indexStart = 80
    private static let indexEntry = 24
    private static let mostLevels = 32

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= indexStart + indexEntry else { return nil }
        let levels = bytes.little32(40)
        guard levels <= mostLevels else { return invalid(.brokenStructure) }
        let stored = max(1, levels)
        guard bytes.count >= indexStart + stored * indexEntry else { return nil }
        let kind = bytes.little32(12)
        let pixel = CardFormats.pixel(vulkan: kind)
        let texture = pixel.block.map {
            CardTexture(
                block: $0, levels: levels == 0 ? nil : levels, depth: max(1, bytes.little32(28)),
                layers: max(1, bytes.little32(32)).saturatingTimes(max(1, bytes.little32(36))))
        }
        return image(
            width: bytes.little32(20), height: max(1, bytes.little32(24)), channels: pixel.channels,
            bitDepth: pixel.depth, layout: texture.map { .card($0) } ?? .decoded,
            leastBytes: end(bytes, levels: stored))
    }

    /// Where the last of the levels and of the parts beside them ends; their order is not relied on.
    private static func end(_ bytes: HeaderBytes, levels: Int) -> Int64 {
        var end = Int64(bytes.little32(48) + bytes.little32(52))
        end = max(end, Int64(bytes.little32(56) + bytes.little32(60)))
        end = max(end, bytes.little64(64).saturatingAdd(bytes.little64(72)))
        for level in 0..<levels {
            let place = indexStart + level * indexEntry
            end = max(end, bytes.little64(place).saturatingAdd(bytes.little64(place + 8)))
        }
        return end
    }
}
