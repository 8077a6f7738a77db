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

// Block by block to the trailer, which is one byte long and means something only where a block may begin.

enum GIFEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(10)
        let flags = try file.byte()
        try file.skip(2)
        try skipPalette(flags, &file)
        while true {
            switch try file.byte() {
            case 0x3B: return
            case 0x21:
                try file.skip(1)
                try skipBlocks(&file)
            case 0x2C:
                try file.skip(8)
                try skipPalette(try file.byte(), &file)
                try file.skip(1)
                try skipBlocks(&file)
            case 0: continue  // left over by some writers
            default: throw .undecided
            }
        }
    }

    private static func skipPalette(_ flags: UInt8, _ file: inout ImageFileBytes) throws(ImageFileStop) {
        if flags & 0x80 != 0 { try file.skip(3 << (Int64(flags & 7) + 1)) }
    }

    private static func skipBlocks(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        while true {
            let size = try file.byte()
            if size == 0 { return }
            try file.skip(Int64(size))
        }
    }
}
