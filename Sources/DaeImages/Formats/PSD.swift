// Layout after Adobe's Photoshop file format specification, "File header section" and "Image data section".

/// The header of a PSD, or of a PSB, its greater kind.
struct PSDHeader: ImageHeaderReader, ImageEndFinder {
    static let format = ImageFormat.psd

    /// Whether it is a PSB, whose lengths and sides may be greater.
    private let isBig: Bool
    private let channels: Int
    private let height: Int
    private let width: Int
    private let depth: Int

    private init(_ file: inout ImageReader) throws(ImageFault) {
        let bytes = try file.bytes(26)
        isBig = bytes[5] == 2
        (channels, height, width, depth) = (bytes.big16(12), bytes.big32(14), bytes.big32(18), bytes.big16(22))
    }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        let header = try PSDHeader(&file)
        guard (1...56).contains(header.channels), [1, 8, 16, 32].contains(header.depth) else {
            return invalid(.unknownPixels)
        }
        let longest = header.isBig ? 300_000 : 30_000
        guard header.width <= longest, header.height <= longest else { return invalid(.sizeTooLarge) }
        // Further channels are masks.
        return image(
            width: header.width, height: header.height, channels: min(header.channels, 4), bitDepth: header.depth)
    }

    /// Behind three sections that give their own length stands the merged picture, to the file's end: plain, or in rows
    /// whose packed sizes come first.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        let header = try PSDHeader(&file)
        // Palette, resources, layers.
        for lengthBytes in [4, 4, header.isBig ? 8 : 4] {
            try file.skip(Int64(clamping: try file.number(lengthBytes, .big)))
        }
        let rows = Int64(header.channels) * Int64(header.height)
        switch try file.big16() {
        case 0:
            let row = (Int64(header.width) * Int64(header.depth) + 7) / 8
            try file.skip(.saturating(rows, times: row))
        case 1:
            let lengthBytes = header.isBig ? 4 : 2
            try file.require(file.position + rows * Int64(lengthBytes))
            var total: Int64 = 0
            for _ in 0..<rows { total += Int64(clamping: try file.number(lengthBytes, .big)) }
            try file.skip(total)
        default: throw .undecided
        }
    }
}
