// Layout after Truevision's TGA specification 2.0. Without a magic number at the start: only asked where a name says
// TGA, and believed where its fields fit together.

enum TGAHeader: ImageHeaderFormat {
    static let format = ImageFormat.tga
    static let length = 18

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= length else { return nil }
        let (palette, kind, bits) = (bytes[1], bytes[2], bytes[16])
        guard palette <= 1, let form = Form(rawValue: kind & ~8), kind & ~11 == 0, form != .mapped || palette == 1
        else { return invalid(.unknownPixels) }
        let paletteBits = bytes[7]
        guard let (channels, depth) = form.pixel(bits: bits, paletteBits: paletteBits) else {
            return invalid(.unknownPixels)
        }
        let (width, height) = (bytes.little16(12), bytes.little16(14))
        let isPacked = kind & 8 != 0
        let body = width * height * ((bits + 7) / 8)
        return image(
            width: width, height: height, channels: channels, bitDepth: depth,
            leastBytes: isPacked ? nil : Int64(bytesBeforePixels(bytes) + body))
    }

    /// Those of the header, of what stands behind it for people, and of the palette.
    static func bytesBeforePixels(_ bytes: HeaderBytes) -> Int {
        length + bytes[0] + (bytes[1] == 1 ? bytes.little16(5) * ((bytes[7] + 7) / 8) : 0)
    }

    private enum Form: Int {
        case mapped = 1
        case colour = 2
        case grey = 3

        func pixel(bits: Int, paletteBits: Int) -> (channels: Int, depth: Int)? {
            switch (self, bits) {
            case (.mapped, 8), (.mapped, 16): [15, 16, 24].contains(paletteBits) ? (3, bits) : (4, bits)
            case (.colour, 15), (.colour, 16): (3, 5)
            case (.colour, 24): (3, 8)
            case (.colour, 32): (4, 8)
            case (.grey, 8): (1, 8)
            case (.grey, 16): (2, 8)
            case (.mapped, _), (.colour, _), (.grey, _): nil
            }
        }
    }
}

// Only packed images come here: packets of a byte that counts, and one pixel or so many, until all pixels are there.

enum TGAEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        let header = HeaderBytes(try file.bytes(TGAHeader.length))
        try file.skip(Int64(TGAHeader.bytesBeforePixels(header) - TGAHeader.length))
        let pixelBytes = Int64((header[16] + 7) / 8)
        var left = header.little16(12) * header.little16(14)
        while left > 0 {
            let head = try file.byte()
            let count = Int(head & 0x7F) + 1
            try file.skip(head & 0x80 == 0 ? Int64(count) * pixelBytes : pixelBytes)
            left -= count
        }
    }
}
