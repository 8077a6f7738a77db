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

// Behind four sections that tell their own length stands the merged picture, to the file's end: plain, or in rows whose
// packed sizes come first. After Adobe's Photoshop file format specification, "Image data section".

enum PSDEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        let header = HeaderBytes(try file.bytes(26))
        let isBig = header[5] == 2
        // Palette, resources, layers.
        for lengthBytes in [4, 4, isBig ? 8 : 4] { try file.skip(try file.number(lengthBytes, .big)) }
        let packing = try file.big16()
        let rows = Int64(header.big16(12)) * Int64(header.big32(14))
        switch packing {
        case 0:
            let row = (Int64(header.big32(18)) * Int64(header.big16(22)) + 7) / 8
            try file.skip(.saturating(rows, times: row))
        case 1:
            let lengthBytes = isBig ? 4 : 2
            try file.require(file.position + rows * Int64(lengthBytes))
            var total: Int64 = 0
            for _ in 0..<rows { total += try file.number(lengthBytes, .big) }
            try file.skip(total)
        default: throw .undecided
        }
    }
}
