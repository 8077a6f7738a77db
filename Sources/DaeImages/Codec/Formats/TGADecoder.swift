// After Truevision's TGA specification 2.0. Many a writer leaves bytes for alpha that it never fills: there is alpha only
// where the descriptor counts bits of it.

enum TGADecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let image = try TGAFileHeader(file)
        let pixel = try image.pixel(file)
        let area = image.width * image.height
        let least = image.isPacked ? area / 128 * (1 + pixel.bytes) : area * pixel.bytes
        var raster = try Raster(
            width: image.width, height: image.height, channels: pixel.channels, limits: limits,
            source: (there: file.count - image.start, least: least))
        var packets = TGAPackets(file, at: image.start, pixel: pixel, isPacked: image.isPacked)
        for row in 0..<image.height where !packets.isAtEnd {
            let place = (image.isTopDown ? row : image.height - 1 - row) * raster.rowBytes
            packets.write(image.width, to: &raster.bytes, at: place)
        }
        guard packets.pixels > 0 else { throw .truncated }
        if packets.pixels < area { raster.completeness = .cut }
        if image.isRightToLeft { raster.mirror() }
        if image.isMultiplied(file) { raster.divideByAlpha() }
        return raster
    }
}

/// What the first 18 bytes of a TGA say.
private struct TGAFileHeader {
    private enum Form {
        case mapped
        case colour
        case grey
    }

    private static let length = 18
    private let form: Form
    private let bits: Int
    private let alphaBits: Int
    private let mapFirst: Int
    private let mapCount: Int
    private let mapBits: Int
    private let mapStart: Int

    let width: Int
    let height: Int
    let isPacked: Bool
    let isTopDown: Bool
    let isRightToLeft: Bool
    /// Where the pixels begin.
    let start: Int

    init(_ file: FileBytes) throws(ImageFault) {
        guard file.count >= Self.length else { throw .truncated }
        let bytes = file.all
        switch bytes[2] & ~8 {
        case 1: form = .mapped
        case 2: form = .colour
        case 3: form = .grey
        default: throw .unsupported("TGA of type \(bytes[2])")
        }
        isPacked = bytes[2] & 8 != 0
        bits = Int(bytes[16])
        alphaBits = Int(bytes[17] & 0xF)
        isRightToLeft = bytes[17] & 0x10 != 0
        isTopDown = bytes[17] & 0x20 != 0
        width = Int(file.little(12, bytes: 2))
        height = Int(file.little(14, bytes: 2))
        mapFirst = Int(file.little(3, bytes: 2))
        mapBits = Int(bytes[7])
        mapStart = Self.length + Int(bytes[0])
        // A picture of true colours may have a palette too, which is passed over.
        mapCount = bytes[1] == 0 ? 0 : Int(file.little(5, bytes: 2))
        start = mapStart + mapCount * ((mapBits + 7) / 8)
    }

    /// How the file's pixels become values.
    func pixel(_ file: FileBytes) throws(ImageFault) -> TGAPixel {
        switch form {
        case .grey where bits == 8: return TGAPixel(bytes: 1, channels: 1, form: .grey)
        case .grey where bits == 16: return TGAPixel(bytes: 2, channels: alphaBits > 0 ? 2 : 1, form: .grey)
        case .colour:
            let fields = try fields(bits: bits)
            return TGAPixel(bytes: (bits + 7) / 8, channels: fields.count, form: .colour(fields))
        case .mapped where bits == 8 || bits == 15 || bits == 16:
            let (colours, channels) = try palette(file)
            return TGAPixel(
                bytes: (bits + 7) / 8, channels: channels, form: .mapped(colours: colours, first: mapFirst))
        case .grey, .mapped: throw .unsupported("pixels of \(bits) bits")
        }
    }

    private func fields(bits: Int) throws(ImageFault) -> BitFields {
        let masks: [UInt32]
        switch bits {
        case 15: return try BitFields(masks: Array(BitFields.fifteenBits.prefix(3)))
        case 16: masks = BitFields.fifteenBits
        case 24: return try BitFields(masks: Array(BitFields.thirtyTwoBits.prefix(3)))
        case 32: masks = BitFields.thirtyTwoBits
        default: throw .unsupported("colours of \(bits) bits")
        }
        return try BitFields(masks: alphaBits > 0 ? masks : Array(masks.prefix(3)))
    }

    /// As many colours as are there.
    private func palette(_ file: FileBytes) throws(ImageFault) -> (colours: [UInt8], channels: Int) {
        let fields = try fields(bits: mapBits)
        let size = (mapBits + 7) / 8
        let count = min(mapCount, max(0, file.count - mapStart) / size)
        var colours = [UInt8](repeating: 0, count: count * fields.count)
        for index in 0..<count {
            fields.write(
                file.little(mapStart + index * size, bytes: size), to: &colours, at: index * fields.count)
        }
        return (colours, fields.count)
    }

    /// Whether a version 2 file says that its colours are multiplied by alpha.
    func isMultiplied(_ file: FileBytes) -> Bool {
        let footer = file.count - 26
        guard footer >= Self.length, file.text(footer + 8, count: 16) == "TRUEVISION-XFILE",
            let extensions = file.little32(footer), extensions >= Self.length
        else { return false }
        return file[extensions + 494] == 4
    }
}

/// Hands out a TGA's pixels, packed or not, which may run on from row to row.
private struct TGAPackets {
    private enum Packet {
        case run
        case literal
    }

    private let file: FileBytes
    private let pixel: TGAPixel
    private var place: Int
    private var packet = Packet.literal
    /// Pixels of the packet that are still to come.
    private var left = 0
    /// Handed out so far.
    private(set) var pixels = 0

    init(_ file: FileBytes, at place: Int, pixel: TGAPixel, isPacked: Bool) {
        self.file = file
        self.place = place
        self.pixel = pixel
        // Pixels that are not packed are one packet without a head.
        left = isPacked ? 0 : .max
    }

    /// Whether the next pixel is not there.
    var isAtEnd: Bool { place > file.count - pixel.bytes - (left == 0 ? 1 : 0) }

    /// Writes so many pixels, or as many as there are.
    mutating func write(_ count: Int, to output: inout [UInt8], at start: Int) {
        var target = start
        let end = start + count * pixel.channels
        while target < end, !isAtEnd {
            if left == 0 { readHead() }
            pixel.write(file, at: place, to: &output, at: target)
            target += pixel.channels
            pixels += 1
            left -= 1
            switch packet {
            case .literal: place += pixel.bytes
            case .run: if left == 0 { place += pixel.bytes }
            }
        }
    }

    private mutating func readHead() {
        let head = file.all[place]
        packet = head & 0x80 == 0 ? .literal : .run
        left = Int(head & 0x7F) + 1
        place += 1
    }
}

/// One pixel of a TGA.
private struct TGAPixel {
    enum Form {
        case grey
        case colour(BitFields)
        /// Values of the colours, one behind the other; `first` is the index of the first.
        case mapped(colours: [UInt8], first: Int)
    }

    /// In the file.
    let bytes: Int
    /// When decoded.
    let channels: Int
    let form: Form

    func write(_ file: FileBytes, at place: Int, to output: inout [UInt8], at target: Int) {
        switch form {
        case .grey:
            for channel in 0..<channels { output[target + channel] = file.all[place + channel] }
        case .colour(let fields): fields.write(file.little(place, bytes: bytes), to: &output, at: target)
        case .mapped(let colours, let first):
            let start = (Int(file.little(place, bytes: bytes)) - first) * channels
            // No colour there: it stays black.
            guard start >= 0, start < colours.count else { return }
            for channel in 0..<channels { output[target + channel] = colours[start + channel] }
        }
    }
}
