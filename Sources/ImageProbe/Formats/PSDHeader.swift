// Layout after Adobe's Photoshop file format specification, "File header section".

enum PSDHeader: ImageHeaderFormat {
    static let format = ImageFormat.psd

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= 26 else { return nil }
        let (channels, depth) = (bytes.big16(12), bytes.big16(22))
        guard (1...56).contains(channels), [1, 8, 16, 32].contains(depth) else { return invalid(.unknownPixels) }
        let longest = bytes[5] == 1 ? 30_000 : 300_000
        let (height, width) = (bytes.big32(14), bytes.big32(18))
        guard width <= longest, height <= longest else { return invalid(.sizeTooLarge) }
        // Further channels are masks.
        return image(width: width, height: height, channels: min(channels, 4), bitDepth: depth)
    }
}
