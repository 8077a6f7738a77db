// Layout after Windows' BITMAPFILEHEADER with BITMAPINFOHEADER and its kin, or OS/2's BITMAPCOREHEADER of 12 bytes.

enum BMPHeader: ImageHeaderFormat {
    static let format = ImageFormat.bmp

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        let isCore = bytes[14] == 12
        // A header of 16 bytes ends before the packing.
        let isShort = bytes[14] < 40
        guard bytes.count >= (isCore ? 26 : isShort ? 30 : 38) else { return nil }
        let pixels = bytes.little32(10)
        let width = isCore ? bytes.little16(18) : bytes.little32(18)
        // A negative height says that the first row is the top one.
        let height =
            isCore ? bytes.little16(20) : Int(Int32(truncatingIfNeeded: bytes.little32(22)).magnitude)
        let bits = isCore ? bytes.little16(24) : bytes.little16(28)
        guard let (channels, depth) = pixel(bits: bits) else { return invalid(.unknownPixels) }
        let packing = isShort ? .none : Packing(code: bytes.little32(30), headerSize: bytes[14])
        let row = (Int64.saturatingProduct(width, bits).saturatingAdd(31)) / 32 * 4
        let body = row.multipliedReportingOverflow(by: Int64(height))
        let end = body.overflow ? .max : body.partialValue.saturatingAdd(Int64(pixels))
        let least: Int64? =
            switch packing {
            case .none: end
            case .sized: bytes.little32(34) == 0 ? nil : Int64(pixels + bytes.little32(34))
            case .runs: nil
            }
        return image(width: width, height: height, channels: channels, bitDepth: depth, leastBytes: least)
    }

    private enum Packing {
        case none
        /// A whole JPEG or PNG, or OS/2's Huffman code: of the size that the header tells.
        case sized
        /// Ends with a mark of its own.
        case runs

        init(code: Int, headerSize: Int) {
            switch (code, headerSize) {
            // OS/2 counts otherwise.
            case (4, 64): self = .runs
            case (3, 64), (4, _), (5, _): self = .sized
            case (1, _), (2, _): self = .runs
            case (_, _): self = .none
            }
        }
    }

    private static func pixel(bits: Int) -> (channels: Int, depth: Int)? {
        switch bits {
        case 1, 2, 4, 8: (3, bits)
        case 0: (3, 8)  // as the JPEG or PNG inside says
        case 16: (3, 5)
        case 24: (3, 8)
        case 32: (4, 8)
        default: nil
        }
    }
}

// Only packed bitmaps come here: the size of others is told by their header. After Windows' "Bitmap compression" and, for
// packed pixels of 24 bits, OS/2's.

enum BMPEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(10)
        let pixels = try file.little32()
        let headerSize = try file.little32()
        try file.seek(30)
        guard let packing = Packing(code: try file.little32(), headerSize: headerSize) else { throw .undecided }
        try file.seek(Int64(pixels))
        while true {
            let count = try file.byte()
            guard count == 0 else {
                try file.skip(packing.run)
                continue
            }
            switch try file.byte() {
            case 0: continue
            case 1: return
            case 2: try file.skip(2)
            case let pixels:
                let bytes = packing.bytes(Int64(pixels))
                try file.skip(bytes + bytes % 2)
            }
        }
    }

    private enum Packing {
        case four, eight, twentyFour

        init?(code: Int, headerSize: Int) {
            switch (code, headerSize) {
            case (1, _): self = .eight
            case (2, _): self = .four
            case (4, 64): self = .twentyFour
            case (_, _): return nil
            }
        }

        /// Bytes that tell the colour of a run.
        var run: Int64 {
            switch self {
            case .four, .eight: 1
            case .twentyFour: 3
            }
        }

        /// Bytes of so many pixels one by one.
        func bytes(_ pixels: Int64) -> Int64 {
            switch self {
            case .four: (pixels + 1) / 2
            case .eight: pixels
            case .twentyFour: 3 * pixels
            }
        }
    }
}
