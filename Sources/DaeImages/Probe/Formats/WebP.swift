// Layout after RFC 9649: a RIFF container whose first chunk is VP8, VP8L or VP8X.

enum WebPHeader: ImageHeaderFormat {
    static let format = ImageFormat.webp

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        let isLossless = bytes.bytes[12..<16].elementsEqual("VP8L".utf8)
        guard bytes.count >= (isLossless ? 25 : 30) else { return nil }
        let least = Int64(bytes.little32(4)) + 8
        switch String(decoding: bytes.bytes[12..<16], as: UTF8.self) {
        case "VP8 ":
            guard Array(bytes.bytes[23..<26]) == [0x9D, 0x01, 0x2A] else { return invalid(.brokenStructure) }
            return image(
                width: bytes.little16(26) & 0x3FFF, height: bytes.little16(28) & 0x3FFF, channels: 3, bitDepth: 8,
                leastBytes: least)
        case "VP8L":
            guard bytes[20] == 0x2F else { return invalid(.brokenStructure) }
            let bits = bytes.little32(21)
            return image(
                width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1, channels: bits >> 28 & 1 == 1 ? 4 : 3,
                bitDepth: 8, leastBytes: least)
        case "VP8X":
            return image(
                width: bytes.little32(24) & 0xFF_FFFF + 1, height: bytes.little32(26) >> 8 + 1,
                channels: bytes[20] & 0x10 == 0 ? 3 : 4, bitDepth: 8, leastBytes: least)
        default:
            return invalid(.brokenStructure)
        }
    }
}
