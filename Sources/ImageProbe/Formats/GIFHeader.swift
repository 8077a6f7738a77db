// Layout after the GIF89a specification, 18: the logical screen descriptor behind the signature.

enum GIFHeader: ImageHeaderFormat {
    static let format = ImageFormat.gif

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= 11 else { return nil }
        // Bits of an index into the palette, less one.
        let depth = bytes[10] & 7 + 1
        return image(width: bytes.little16(6), height: bytes.little16(8), channels: 3, bitDepth: depth)
    }
}
