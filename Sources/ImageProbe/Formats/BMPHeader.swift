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
