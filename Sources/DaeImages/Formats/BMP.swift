// Layout after Windows' BITMAPFILEHEADER with BITMAPINFOHEADER and its successors of 52 to 124 bytes, "Bitmap
// compression", and OS/2's headers of 12, 16 and 64 bytes.

/// The header of a BMP of Windows or OS/2.
struct BMPHeader: ImageHeaderReader, ImageEndFinder, ImageDecoder {
    static let format = ImageFormat.bmp

    private static let fileHeader = 14
    /// Of the second header.
    private let size: Int
    private let width: Int
    private let height: Int
    private let isTopDown: Bool
    private let bits: Int
    private let packingCode: Int
    /// Bytes of packed pixels; 0 where the header does not say.
    private let packedSize: Int
    /// Where the pixels begin, as the header says.
    private let offset: Int

    private init(_ file: inout ImageReader) throws(ImageFault) {
        var bytes = try file.bytes(18)
        size = bytes.little32(Self.fileHeader)
        let isCore = size == 12
        // A header of 16 bytes ends before the packing.
        bytes += try file.bytes(isCore ? 8 : size < 40 ? 12 : 20)
        offset = bytes.little32(10)
        width = isCore ? bytes.little16(18) : bytes.little32(18)
        let signedHeight = isCore ? bytes.little16(20) : Int(Int32(truncatingIfNeeded: bytes.little32(22)))
        height = abs(signedHeight)
        isTopDown = signedHeight < 0
        bits = isCore ? bytes.little16(24) : bytes.little16(28)
        (packingCode, packedSize) = size < 40 ? (0, 0) : (bytes.little32(30), bytes.little32(34))
    }

    private var isOS2: Bool { size == 64 }

    /// Bits of the pixels of runs, which end with a mark of their own; `nil` where there are none.
    private var runBits: Int? {
        switch packingCode {
        case 1: 8
        case 2: 4
        case 4: isOS2 ? 24 : nil
        default: nil
        }
    }

    /// Whether there is a whole JPEG or PNG, or OS/2's Huffman code: of the size that the header gives.
    private var isSized: Bool { packingCode == (isOS2 ? 3 : 4) || packingCode == 5 }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        let header = try BMPHeader(&file)
        guard let (channels, depth) = header.pixel else { return invalid(.unknownPixels) }
        let row = (Int64.saturatingProduct(header.width, header.bits).saturatingAdd(31)) / 32 * 4
        let body = Int64.saturating(row, times: Int64(header.height))
        let size = header.isSized ? Int64(header.packedSize) : body
        let isKnown = header.runBits == nil && !(header.isSized && header.packedSize == 0)
        return image(
            width: header.width, height: header.height, channels: channels, bitDepth: depth,
            leastBytes: isKnown ? size.saturatingAdd(Int64(header.offset)) : nil)
    }

    private var pixel: (channels: Int, depth: Int)? {
        switch bits {
        case 1, 2, 4, 8: (3, bits)
        case 0: (3, 8)  // as the JPEG or PNG inside says
        case 16: (3, 5)
        case 24: (3, 8)
        case 32: (4, 8)
        default: nil
        }
    }

    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        let header = try BMPHeader(&file)
        guard let bits = header.runBits else { throw .undecided }
        try file.seek(Int64(header.offset))
        while true {
            guard try file.byte() == 0 else {
                try file.skip(bits == 24 ? 3 : 1)
                continue
            }
            switch try file.byte() {
            case 0: continue
            case 1: return
            case 2: try file.skip(2)
            case let pixels:
                let bytes = (Int64(pixels) * Int64(bits) + 7) / 8
                try file.skip(bytes + bytes % 2)
            }
        }
    }
}

// MARK: - Decoding

extension BMPHeader {
    /// What the pixels are decoded by.
    private enum Form {
        /// Bits a pixel: 1, 2, 4 or 8.
        case indices
        /// Bytes a pixel: 2, 3 or 4.
        case colours(BitFields)
        case runs
    }

    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        var file = ImageReader(bytes)
        let image = try BMPHeader(&file)
        let form = try image.form(bytes)
        let (palette, start) = image.palette(bytes)
        switch form {
        case .indices:
            let mask = 1 << image.bits - 1
            return try image.rows(bytes, from: start, channels: 3, limits) { place, count, output, target in
                for x in 0..<count {
                    let bit = x * image.bits
                    let index = Int(bytes[place + bit / 8] >> UInt8(8 - image.bits - bit % 8)) & mask
                    palette.write(index, to: &output, at: target + x * 3)
                }
            }
        case .colours(let fields):
            return try image.rows(bytes, from: start, channels: fields.count, limits) { place, count, output, target in
                fields.decode(bytes, at: place, pixels: count, to: &output, at: target)
            }
        case .runs:
            var raster = try Raster(width: image.width, height: image.height, channels: 3, limits: limits)
            var runs = BMPRuns(bytes, from: start, isTopDown: image.isTopDown, bits: image.bits, palette)
            runs.fill(&raster)
            guard runs.pixels > 0 else { throw .truncated }
            if !runs.isComplete { raster.completeness = .cut }
            return raster
        }
    }

    /// The fourth byte of 32 bits is alpha only where the header has a mask for it.
    private func form(_ bytes: [UInt8]) throws(ImageFault) -> Form {
        guard bytes.count >= Self.fileHeader + size else { throw .truncated }
        switch (packingCode, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8): return .indices
        case (0, 16): return .colours(try BitFields(bits: bits, masks: BitFields.fifteenBits))
        case (0, 24), (0, 32): return .colours(try BitFields(bits: bits, masks: BitFields.twentyFourBits))
        case (1, 8), (2, 4): return .runs
        case (3, 16), (3, 24), (3, 32), (6, 16), (6, 24), (6, 32):
            guard !isOS2 else { throw .unsupported("a BMP in OS/2's Huffman code") }
            let hasAlphaMask = size >= 56 || packingCode == 6
            let places = hasAlphaMask ? [54, 58, 62, 66] : [54, 58, 62]
            guard bytes.count >= 54 + 4 * places.count else { throw .truncated }
            var masks = places.map { bytes.little($0, bytes: 4) }
            if hasAlphaMask, masks[3] == 0 { masks.removeLast() }
            return .colours(try BitFields(bits: bits, masks: masks))
        case (4, _): throw .unsupported(isOS2 ? "a BMP in runs of 24 bits" : "a BMP that holds a JPEG")
        case (5, _): throw .unsupported("a BMP that holds a PNG")
        case (_, _): throw .unsupported("a BMP of \(bits) bits and packing \(packingCode)")
        }
    }

    /// Whole colours only, and where the pixels begin.
    private func palette(_ bytes: [UInt8]) -> (Palette, start: Int) {
        let hasMasks = size == 40 && (packingCode == 3 || packingCode == 6)
        let headerEnd = Self.fileHeader + size + (hasMasks ? packingCode == 3 ? 12 : 16 : 0)
        guard bits <= 8 else { return (Palette([]), max(offset, headerEnd)) }
        let entry = size == 12 ? 3 : 4
        let used = size >= 40 ? bytes.little32(46) : 0
        let stated = used == 0 ? 1 << bits : min(used, 1 << bits)
        // Where there is less space than colours, pixels begin behind those that are there.
        let space = (offset > headerEnd ? min(offset, bytes.count) : bytes.count) - headerEnd
        let count = max(0, min(stated, space / entry))
        let colours = (0..<count).flatMap { index in [2, 1, 0].map { bytes[headerEnd + index * entry + $0] } }
        return (Palette(colours), offset > headerEnd ? offset : headerEnd + count * entry)
    }

    /// Rows that are not packed, each of whole numbers of 32 bits.
    ///
    /// - Parameter decode: Is given where pixels stand, how many, and where their values go.
    private func rows(
        _ bytes: [UInt8], from start: Int, channels: Int, _ limits: ImageLimits,
        decode: (_ place: Int, _ count: Int, inout [UInt8], _ target: Int) -> Void
    ) throws(ImageFault) -> Raster {
        try limits.check(width: width, height: height, channels: channels)
        let rowSize = (width * bits + 31) / 32 * 4
        var raster = try Raster(
            width: width, height: height, channels: channels, limits: limits,
            source: (there: bytes.count - start, least: height * rowSize))
        for row in 0..<height {
            let place = start + row * rowSize
            let there = min(width, max(0, bytes.count - place) * 8 / bits)
            decode(place, there, &raster.bytes, (isTopDown ? row : height - 1 - row) * raster.rowBytes)
            guard there < width else { continue }
            guard row > 0 || there > 0 else { throw .truncated }
            raster.completeness = .cut
            break
        }
        return raster
    }
}

/// Follows the runs of a packed BMP. Pixels that are jumped over have the first colour.
private struct BMPRuns {
    private let bytes: [UInt8]
    private let isTopDown: Bool
    private let hasWholeBytes: Bool
    private let palette: Palette
    private var place: Int
    private var x = 0
    private var row = 0
    /// Written so far.
    private(set) var pixels = 0
    /// Whether the runs go on to the mark at their end, or to the last pixel.
    private(set) var isComplete = false

    init(_ bytes: [UInt8], from start: Int, isTopDown: Bool, bits: Int, _ palette: Palette) {
        self.bytes = bytes
        self.isTopDown = isTopDown
        self.palette = palette
        hasWholeBytes = bits == 8
        place = start
    }

    mutating func fill(_ raster: inout Raster) {
        for index in 0..<(raster.width * raster.height) { palette.write(0, to: &raster.bytes, at: index * 3) }
        while row < raster.height, place + 1 < bytes.count {
            let (first, second) = (Int(bytes[place]), bytes[place + 1])
            place += 2
            if first > 0 {
                for index in 0..<first { write(second, index, to: &raster) }
                continue
            }
            switch second {
            case 0:
                x = 0
                row += 1
            case 1:
                isComplete = true
                return
            case 2:
                guard place + 1 < bytes.count else { return }
                x += Int(bytes[place])
                row += Int(bytes[place + 1])
                place += 2
            case let count: literal(Int(count), in: &raster)  // bytes
            }
        }
        isComplete = row >= raster.height || (row == raster.height - 1 && x >= raster.width)
    }

    /// Padded to whole numbers of 16 bits.
    private mutating func literal(_ count: Int, in raster: inout Raster) {
        for index in 0..<count {
            let source = place + (hasWholeBytes ? index : index / 2)
            guard source < bytes.count else { break }
            write(bytes[source], index, to: &raster)
        }
        let size = hasWholeBytes ? count : (count + 1) / 2
        place += size + size % 2
    }

    /// Writes the pixel `index` of a run; what goes beyond the row is lost.
    private mutating func write(_ value: UInt8, _ index: Int, to raster: inout Raster) {
        if x < raster.width {
            let colour = hasWholeBytes ? value : index % 2 == 0 ? value >> 4 : value & 0xF
            let line = isTopDown ? row : raster.height - 1 - row
            palette.write(Int(colour), to: &raster.bytes, at: line * raster.rowBytes + x * 3)
            pixels += 1
        }
        x += 1
    }
}
