// Layout after Khronos' KTX 1 specification; the formats' numbers are OpenGL's.

enum KTXHeader: ImageHeaderFormat {
    static let format = ImageFormat.ktx

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= 64 else { return nil }
        let order = Array(bytes.bytes[12..<16])
        let isLittle = order == [1, 2, 3, 4]
        guard isLittle || order == [4, 3, 2, 1] else { return invalid(.brokenStructure) }
        func number(_ place: Int) -> Int { isLittle ? bytes.little32(place) : bytes.big32(place) }
        let (type, typeSize, channels) = (number(16), number(20), channels(base: number(32)))
        // A packed pixel is one value of its type.
        let isPacked =
            (0x8032...0x8036).contains(type) || (0x8362...0x8368).contains(type) || type == 0x8C3B
            || type == 0x8C3E
        let blocks = CardFormats.block(openGL: number(28))
        let plain = [1, 2, 4].contains(typeSize) ? channels.map { isPacked ? typeSize : typeSize * $0 } : nil
        let levels = number(56)
        let texture = (blocks ?? plain.map { .pixel($0) }).map {
            CardTexture(
                block: $0, levels: levels == 0 ? nil : levels, depth: max(1, number(44)),
                layers: max(1, number(48)).saturatingTimes(max(1, number(52))))
        }
        let depth = blocks != nil ? 8 : isPacked || plain == nil ? nil : typeSize * 8
        // A height of 0 says that the texture has one dimension.
        return image(
            width: number(36), height: max(1, number(40)), channels: channels, bitDepth: depth,
            layout: texture.map { .card($0) } ?? .decoded)
    }

    private static func channels(base: Int) -> Int? {
        switch base {
        case 0x1902, 0x1903, 0x1906, 0x1909: 1
        case 0x8227, 0x190A, 0x84F9: 2
        case 0x1907, 0x80E0: 3
        case 0x1908, 0x80E1: 4
        default: nil
        }
    }
}
