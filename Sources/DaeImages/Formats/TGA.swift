// Layout after Truevision's TGA specification 2.0. Without a magic number at the start: only asked where a name says
// TGA, and believed where its fields fit together.

/// The header of a TGA, its first 18 bytes.
struct TGAHeader: ImageHeaderReader, ImageEndFinder, ImageDecoder {
    static let format = ImageFormat.tga

    private enum Form: UInt8 {
        case mapped = 1
        case colour = 2
        case grey = 3
    }

    private static let length = 18
    private let hasPalette: Bool
    private let form: Form
    private let isPacked: Bool
    private let bits: Int
    private let descriptor: UInt8
    private let mapFirst: Int
    private let mapCount: Int
    private let mapBits: Int
    private let mapStart: Int
    private let width: Int
    private let height: Int

    /// `nil` for what is no TGA.
    private init?(_ file: inout ImageReader) throws(ImageFault) {
        let bytes = try file.bytes(Self.length)
        guard bytes[1] <= 1, bytes[2] & ~11 == 0, let form = Form(rawValue: bytes[2] & ~8) else { return nil }
        self.form = form
        hasPalette = bytes[1] == 1
        isPacked = bytes[2] & 8 != 0
        mapFirst = bytes.little16(3)
        // A picture of true colours may have a palette too, which is passed over.
        mapCount = hasPalette ? bytes.little16(5) : 0
        mapBits = Int(bytes[7])
        mapStart = Self.length + Int(bytes[0])
        (width, height) = (bytes.little16(12), bytes.little16(14))
        bits = Int(bytes[16])
        descriptor = bytes[17]
    }

    private var pixelBytes: Int { (bits + 7) / 8 }
    private var area: Int { width * height }
    /// Where the pixels begin.
    private var start: Int { mapStart + mapCount * ((mapBits + 7) / 8) }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        guard let header = try TGAHeader(&file), let (channels, depth) = header.pixel else {
            return invalid(.unknownPixels)
        }
        return image(
            width: header.width, height: header.height, channels: channels, bitDepth: depth,
            leastBytes: header.isPacked ? nil : Int64(header.start + header.area * header.pixelBytes))
    }

    private var pixel: (channels: Int, depth: Int)? {
        switch (form, bits) {
        case (.mapped, 8), (.mapped, 16): !hasPalette ? nil : [15, 16, 24].contains(mapBits) ? (3, bits) : (4, bits)
        case (.colour, 15), (.colour, 16): (3, 5)
        case (.colour, 24): (3, 8)
        case (.colour, 32): (4, 8)
        case (.grey, 8): (1, 8)
        case (.grey, 16): (2, 8)
        case (.mapped, _), (.colour, _), (.grey, _): nil
        }
    }

    /// Only packed images are followed: packets of a byte that counts, and one pixel or so many, until all are there.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        guard let header = try TGAHeader(&file) else { throw .undecided }
        try file.seek(Int64(header.start))
        var left = header.area
        while left > 0 {
            let head = try file.byte()
            let count = Int(head & 0x7F) + 1
            try file.skip(Int64(head & 0x80 == 0 ? count * header.pixelBytes : header.pixelBytes))
            left -= count
        }
    }
}

// MARK: - Decoding

extension TGAHeader {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        var file = ImageReader(bytes)
        guard let image = try TGAHeader(&file), image.pixel != nil else {
            throw .unsupported("a TGA of an unknown kind")
        }
        let (values, channels) = try image.values(bytes)
        let size = image.pixelBytes
        let least = image.isPacked ? image.area / 128 * (1 + size) : image.area * size
        var raster = try Raster(
            width: image.width, height: image.height, channels: channels, limits: limits,
            source: (there: bytes.count - image.start, least: least))
        var packets = TGAPackets(
            bytes, at: image.start, size, values: values, channels: channels, isPacked: image.isPacked)
        let isTopDown = image.descriptor & 0x20 != 0
        for row in 0..<image.height where !packets.isAtEnd {
            let place = (isTopDown ? row : image.height - 1 - row) * raster.rowBytes
            packets.write(image.width, to: &raster.bytes, at: place)
        }
        guard packets.pixels > 0 else { throw .truncated }
        if packets.pixels < image.area { raster.completeness = .cut }
        if image.descriptor & 0x10 != 0 { raster.mirror() }
        if isMultiplied(bytes) { raster.divideByAlpha() }
        return raster
    }

    /// Many a writer leaves bytes for alpha that it never fills: there is alpha only where the descriptor counts its bits.
    private var hasAlpha: Bool { descriptor & 0xF > 0 }

    /// How the file's pixels become values, and how many values each has.
    private func values(_ bytes: [UInt8]) throws(ImageFault) -> (TGAValues, channels: Int) {
        switch form {
        case .grey: return (.grey, bits == 16 && hasAlpha ? 2 : 1)
        case .colour:
            let fields = try fields(bits: bits)
            return (.colour(fields), fields.count)
        case .mapped:
            let fields = try fields(bits: mapBits)
            // As many colours as are there.
            let count = min(mapCount, max(0, bytes.count - mapStart) / fields.pixelBytes)
            var colours = [UInt8](repeating: 0, count: count * fields.count)
            fields.decode(bytes, at: mapStart, pixels: count, to: &colours, at: 0)
            return (.mapped(colours: colours, first: mapFirst), fields.count)
        }
    }

    private func fields(bits: Int) throws(ImageFault) -> BitFields {
        switch bits {
        case 15: try BitFields(bits: bits, masks: BitFields.fifteenBits)
        case 16: try BitFields(bits: bits, masks: BitFields.fifteenBits + (hasAlpha ? [0x8000] : []))
        case 24: try BitFields(bits: bits, masks: BitFields.twentyFourBits)
        case 32: try BitFields(bits: bits, masks: BitFields.twentyFourBits + (hasAlpha ? [0xFF00_0000] : []))
        default: throw .unsupported("colours of \(bits) bits")
        }
    }

    /// Whether a version 2 file says that its colours are multiplied by alpha.
    private static func isMultiplied(_ bytes: [UInt8]) -> Bool {
        let footer = bytes.count - 26
        guard footer >= length, bytes.text(footer + 8, count: 16) == "TRUEVISION-XFILE" else { return false }
        let extensions = bytes.little32(footer)
        return extensions >= length && extensions + 494 < bytes.count && bytes[extensions + 494] == 4
    }
}

/// How a pixel of a TGA becomes values.
private enum TGAValues {
    case grey
    case colour(BitFields)
    /// Values of the colours, one behind the other; `first` is the index of the first.
    case mapped(colours: [UInt8], first: Int)
}

/// Hands out a TGA's pixels, packed or not, which may run on from row to row.
private struct TGAPackets {
    private let bytes: [UInt8]
    /// Bytes of a pixel.
    private let size: Int
    private let values: TGAValues
    private let channels: Int
    private var place: Int
    /// Whether the packet has one pixel for all.
    private var isRun = false
    /// Pixels of the packet that are still to come.
    private var left: Int
    /// Handed out so far.
    private(set) var pixels = 0

    init(_ bytes: [UInt8], at place: Int, _ size: Int, values: TGAValues, channels: Int, isPacked: Bool) {
        self.bytes = bytes
        self.place = place
        self.size = size
        self.values = values
        self.channels = channels
        // Pixels that are not packed are one packet without a head.
        left = isPacked ? 0 : .max
    }

    /// Whether the next pixel is not there.
    var isAtEnd: Bool { place > bytes.count - size - (left == 0 ? 1 : 0) }

    /// Writes so many pixels, or as many as there are.
    mutating func write(_ count: Int, to output: inout [UInt8], at start: Int) {
        var target = start
        let end = start + count * channels
        while target < end, !isAtEnd {
            if left == 0 { readHead() }
            let count = isRun ? 1 : min(left, (end - target) / channels, (bytes.count - place) / size)
            write(count, pixelsTo: &output, at: target)
            target += count * channels
            pixels += count
            left -= count
            if !isRun || left == 0 { place += count * size }
        }
    }

    private mutating func readHead() {
        let head = bytes[place]
        isRun = head & 0x80 != 0
        left = Int(head & 0x7F) + 1
        place += 1
    }

    /// Writes pixels that stand one behind the other in the file.
    private func write(_ count: Int, pixelsTo output: inout [UInt8], at target: Int) {
        switch values {
        case .grey:
            for index in 0..<count {
                for channel in 0..<channels {
                    output[target + index * channels + channel] = bytes[place + index * size + channel]
                }
            }
        case .colour(let fields): fields.decode(bytes, at: place, pixels: count, to: &output, at: target)
        case .mapped(let colours, let first):
            for index in 0..<count {
                let start = (Int(bytes.little(place + index * size, bytes: size)) - first) * channels
                // No colour there: it stays black.
                guard start >= 0, start < colours.count else { continue }
                for channel in 0..<channels { output[target + index * channels + channel] = colours[start + channel] }
            }
        }
    }
}
