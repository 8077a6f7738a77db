// Layout after Microsoft's DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10; numbers of kinds of pixel are D3DFORMAT's and
// letters of Direct3D 9, DXGI_FORMAT's since.

/// The header of a DDS.
struct DDSHeader: ImageHeaderReader, ImageDecoder {
    static let format = ImageFormat.dds

    /// How the header gives the kind of pixel.
    private enum Kind {
        case dxgi(Int)
        /// Four letters, or four bytes of a number.
        case code(String)
        /// A mask for each value.
        case masks
    }

    private let bytes: [UInt8]
    private let kind: Kind

    /// `nil` where the sizes of its parts are not those of a DDS.
    private init?(_ file: inout ImageReader) throws(ImageFault) {
        var bytes = try file.bytes(128)
        guard bytes.little32(4) == 124, bytes.little32(76) == 32 else { return nil }
        let code = bytes.text(84, count: 4)
        if bytes.little32(80) & 4 == 0 {
            kind = .masks
        } else if code == "DX10" {
            bytes += try file.bytes(20)
            kind = .dxgi(bytes.little32(128))
        } else {
            kind = .code(code)
        }
        self.bytes = bytes
    }

    private var isExtended: Bool { start > 128 }
    private var width: Int { bytes.little32(16) }
    private var height: Int { bytes.little32(12) }
    private var flags: Int { bytes.little32(80) }
    private var bits: Int { bytes.little32(88) }
    /// One a channel, in the order of colours.
    private var masks: [UInt32] { [92, 96, 100, 104].map { bytes.little($0, bytes: 4) } }
    /// Where the pixels begin.
    private var start: Int { bytes.count }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        guard let header = try DDSHeader(&file) else { return invalid(.brokenStructure) }
        return header.result
    }

    private var result: ImageProbeResult {
        let pixel = pixel
        let texture = pixel.block.map {
            CardTexture(block: $0, levels: max(1, bytes.little32(28)), depth: depth, layers: layers)
        }
        let least = texture?.bytes(width: width, height: height)
        return Self.image(
            width: width, height: height, channels: pixel.channels, bitDepth: pixel.depth,
            layout: texture.map { .card($0) } ?? .decoded, leastBytes: least?.saturatingAdd(Int64(start)))
    }

    private var depth: Int {
        let isVolume = isExtended ? bytes.little32(132) == 4 : bytes.little32(112) & 0x20_0000 != 0
        return isVolume ? max(1, bytes.little32(24)) : 1
    }

    /// Faces of a cube, each there or not, or members of an array.
    private var layers: Int {
        if isExtended { return max(1, bytes.little32(140)) * (bytes.little32(136) & 4 == 0 ? 1 : 6) }
        let faces = bytes.little32(112)
        return faces & 0x200 == 0 ? 1 : max(1, (faces & 0xFC00).nonzeroBitCount)
    }

    // MARK: - Kinds of pixel

    /// DXGI's numbers of the codes of Direct3D 9.
    private static let codes = [
        "DXT1": 71, "DXT2": 74, "DXT3": 74, "DXT4": 77, "DXT5": 77, "ATI1": 80, "BC4U": 80, "BC4S": 81, "ATI2": 83,
        "BC5U": 83, "BC5S": 84, "RGBG": 68, "GRGB": 69, "UYVY": 107, "YUY2": 107, "$\0\0\0": 11, "n\0\0\0": 13,
        "q\0\0\0": 10, "o\0\0\0": 54, "p\0\0\0": 34, "r\0\0\0": 41, "s\0\0\0": 16, "t\0\0\0": 2,
    ]

    private var pixel: CardPixel {
        switch kind {
        case .dxgi(let number): Self.pixel(dxgi: number)
        case .code(let code): Self.codes[code].map { Self.pixel(dxgi: $0) } ?? (nil, nil, nil)
        case .masks: pixelOfMasks
        }
    }

    private static func pixel(dxgi number: Int) -> CardPixel {
        switch number {
        case 1...4: (4, 32, .pixel(16))
        case 5...8: (3, 32, .pixel(12))
        case 9...14: (4, 16, .pixel(8))
        case 15...18: (2, 32, .pixel(8))
        case 19...22: (2, nil, .pixel(8))
        case 23...25, 89: (4, nil, .pixel(4))
        case 26, 67: (3, nil, .pixel(4))
        case 27...32, 87, 90, 91: (4, 8, .pixel(4))
        case 88, 92, 93: (3, 8, .pixel(4))
        case 33...38: (2, 16, .pixel(4))
        case 39...43: (1, 32, .pixel(4))
        case 44...47: (2, nil, .pixel(4))
        case 48...52: (2, 8, .pixel(2))
        case 53...59: (1, 16, .pixel(2))
        case 60...65: (1, 8, .pixel(1))
        case 68, 69, 107: (3, 8, .pair)
        case 70...72: (4, 8, .square(8))
        case 73...78, 97...99: (4, 8, .square(16))
        case 79...81: (1, 8, .square(8))
        case 82...84: (2, 8, .square(16))
        case 85: (3, nil, .pixel(2))
        case 86: (4, nil, .pixel(2))
        case 94...96: (3, 8, .square(16))
        case 115, 191: (4, 4, .pixel(2))
        default: (nil, nil, nil)
        }
    }

    private var pixelOfMasks: CardPixel {
        // With a palette its bytes stand first.
        guard flags & 0x20 == 0, [8, 16, 24, 32, 64, 128].contains(bits) else { return (nil, nil, nil) }
        // Of grey pixels all colours may have the same bits.
        let masks = Set(masks).subtracting([0]).map(\.nonzeroBitCount)
        let isEven = masks.allSatisfy { $0 == masks.first }
        let isGreyWithAlpha = flags & 0x20000 != 0
        return switch (masks.count, bits) {
        // Some writers leave the masks out.
        case (0, 8): (1, 8, .pixel(1))
        case (0, 16): isGreyWithAlpha ? (2, 8, .pixel(2)) : (3, nil, .pixel(2))
        case (0, 24): (3, 8, .pixel(3))
        case (0, 32): (4, 8, .pixel(4))
        case (0, _): (nil, nil, nil)
        case (let count, _): (count, isEven ? masks.first : nil, .pixel(bits / 8))
        }
    }
}

// MARK: - Decoding

/// Decodes the greatest level of the first layer: blocks of BC1 to BC5 without a sign, and plain pixels.
///
/// Two channels (BC5) are the first two numbers of a direction, as normal maps have them: the third follows from its
/// length of 1.
extension DDSHeader {
    private enum Form {
        case blocks(BlockKind)
        case pixels(BitFields)
    }

    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        var file = ImageReader(bytes)
        guard let image = try DDSHeader(&file) else { throw .invalid("its header cannot be read") }
        var raster: Raster
        switch try image.form() {
        case .blocks(let kind): raster = try image.blocks(kind, bytes, limits)
        case .pixels(let fields):
            let there: Int
            (raster, there) = try image.raster(
                channels: fields.count, limits, unit: (side: 1, bytes: fields.pixelBytes), in: bytes)
            fields.decode(bytes, at: image.start, pixels: there, to: &raster.bytes, at: 0)
        }
        if image.isMultiplied { raster.divideByAlpha() }
        if image.hasNoAlpha { raster.keepChannels(3) }
        return raster
    }

    private var isMultiplied: Bool {
        switch kind {
        case .dxgi: bytes.little32(144) & 7 == 2
        case .code(let code): code == "DXT2" || code == "DXT4"
        case .masks: false
        }
    }

    private var hasNoAlpha: Bool { isExtended && bytes.little32(144) & 7 == 3 }

    /// Pixels of the first level, still clear or black, and how many units of them are in the file.
    ///
    /// - Parameter unit: What is stored as one.
    private func raster(
        channels: Int, _ limits: ImageLimits, unit: (side: Int, bytes: Int), in file: [UInt8]
    ) throws(ImageFault) -> (Raster, there: Int) {
        try limits.check(width: width, height: height, channels: channels)
        let units = ((width - 1) / unit.side + 1) * ((height - 1) / unit.side + 1)
        var raster = try Raster(
            width: width, height: height, channels: channels, limits: limits,
            source: (there: file.count - start, least: units * unit.bytes))
        let there = min(units, max(0, file.count - start) / unit.bytes)
        guard there > 0 else { throw .truncated }
        if there < units { raster.completeness = .cut }
        return (raster, there)
    }

    private func blocks(
        _ kind: BlockKind, _ file: [UInt8], _ limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let (across, channels) = ((width + 3) / 4, kind.channels)
        var (raster, there) = try raster(channels: channels, limits, unit: (side: 4, bytes: kind.bytes), in: file)
        var decoder = BlockDecoder(kind)
        for index in 0..<there {
            decoder.decode(file, at: start + index * kind.bytes)
            let (left, top) = (index % across * 4, index / across * 4)
            for y in 0..<min(4, height - top) {
                let target = (top + y) * raster.rowBytes + left * channels
                for place in 0..<(min(4, width - left) * channels) {
                    raster.bytes[target + place] = decoder.values[y * 4 * channels + place]
                }
            }
        }
        return raster
    }

    private func form() throws(ImageFault) -> Form {
        switch kind {
        case .dxgi(let number): try Self.form(dxgi: number)
        case .code(let code): try Self.form(code: code)
        case .masks: try formOfMasks()
        }
    }

    private static func form(code: String) throws(ImageFault) -> Form {
        if let number = codes[code], [71, 74, 77, 80, 83].contains(number) { return try form(dxgi: number) }
        // What is no text is a number of Direct3D 9.
        let isText = code.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        throw .unsupported("a DDS of the kind \(isText ? code : "\(code.utf8.first ?? 0)")")
    }

    private static func form(dxgi number: Int) throws(ImageFault) -> Form {
        switch number {
        case 24: .pixels(try BitFields(bits: 32, masks: [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000]))
        case 28, 29: .pixels(try BitFields(bits: 32, masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]))
        case 49: .pixels(try BitFields(bits: 16, masks: [0xFF, 0xFF00, 0]))
        case 61: .pixels(try BitFields(bits: 8, masks: [0xFF]))
        case 65: .pixels(try BitFields(bits: 8, masks: [0, 0, 0, 0xFF]))
        case 70...72: .blocks(.bc1)
        case 73...75: .blocks(.bc2)
        case 76...78: .blocks(.bc3)
        case 79, 80: .blocks(.bc4)
        case 82, 83: .blocks(.bc5)
        case 85: .pixels(try BitFields(bits: 16, masks: [0xF800, 0x7E0, 0x1F]))
        case 86: .pixels(try BitFields(bits: 16, masks: BitFields.fifteenBits + [0x8000]))
        case 87, 91: .pixels(try BitFields(bits: 32, masks: BitFields.twentyFourBits + [0xFF00_0000]))
        case 88, 93: .pixels(try BitFields(bits: 32, masks: BitFields.twentyFourBits))
        case 94...96: throw .unsupported("a DDS of the kind BC6H")
        case 97...99: throw .unsupported("a DDS of the kind BC7")
        case 115: .pixels(try BitFields(bits: 16, masks: [0xF00, 0xF0, 0xF, 0xF000]))
        default: throw .unsupported("a DDS of DXGI's format \(number)")
        }
    }

    private func formOfMasks() throws(ImageFault) -> Form {
        guard [8, 16, 24, 32].contains(bits) else { throw .unsupported("a DDS of \(bits) bits a pixel") }
        let masks = masks
        let alpha = flags & 3 == 0 || masks[3] == 0 ? [] : [masks[3]]
        let colours: [UInt32]
        if flags & 0x40 != 0 {
            colours = Array(masks.prefix(3))
        } else if flags & 0x2_0000 != 0 {
            colours = [masks[0]]
        } else if flags & 2 != 0, !alpha.isEmpty {
            colours = [0, 0, 0]
        } else {
            throw .unsupported("a DDS whose pixels are no colours")
        }
        return .pixels(try BitFields(bits: bits, masks: colours + alpha))
    }
}

// After Direct3D's block compression: 4 × 4 pixels as two ends of a line of colours and, a pixel, a place on it.

/// How 4 × 4 pixels are pressed into one block.
private enum BlockKind {
    /// Colours, of which one may be clear.
    case bc1
    /// Colours, and alpha of four bits.
    case bc2
    /// Colours, and alpha on a line of its own.
    case bc3
    /// One channel.
    case bc4
    /// Two channels, and a third that follows from them.
    case bc5

    var bytes: Int { self == .bc1 || self == .bc4 ? 8 : 16 }

    var channels: Int {
        switch self {
        case .bc1, .bc2, .bc3: 4
        case .bc4: 1
        case .bc5: 3
        }
    }
}

/// Unpacks blocks of one kind, one at a time.
private struct BlockDecoder {
    private let kind: BlockKind
    /// The 16 pixels of the block last decoded, row by row.
    private(set) var values: [UInt8]
    /// Four colours of four channels.
    private var colours = [Int](repeating: 0, count: 16)
    private var line = [Int](repeating: 0, count: 8)

    init(_ kind: BlockKind) {
        self.kind = kind
        values = [UInt8](repeating: 0, count: 16 * kind.channels)
    }

    /// The block must be there.
    mutating func decode(_ bytes: [UInt8], at place: Int) {
        switch kind {
        case .bc1: writeColours(bytes, at: place, mayBeClear: true)
        case .bc2:
            writeColours(bytes, at: place + 8, mayBeClear: false)
            for pixel in 0..<16 {
                let pair = bytes[place + pixel / 2]
                values[pixel * 4 + 3] = (pixel % 2 == 0 ? pair & 0xF : pair >> 4) * 17
            }
        case .bc3:
            writeColours(bytes, at: place + 8, mayBeClear: false)
            writeChannel(3, bytes, at: place)
        case .bc4: writeChannel(0, bytes, at: place)
        case .bc5:
            writeChannel(0, bytes, at: place)
            writeChannel(1, bytes, at: place + 8)
            for pixel in 0..<16 {
                values[pixel * 3 + 2] = Self.third(values[pixel * 3], values[pixel * 3 + 1])
            }
        }
    }

    /// The part of a direction that points out of the surface; half of 255 is nothing, 255 is 1.
    private static func third(_ red: UInt8, _ green: UInt8) -> UInt8 {
        let (x, y) = (Double(red) / 127.5 - 1, Double(green) / 127.5 - 1)
        return UInt8((max(0, 1 - x * x - y * y).squareRoot() * 127.5 + 127.5).rounded())
    }

    private mutating func writeColours(_ bytes: [UInt8], at place: Int, mayBeClear: Bool) {
        let (first, second) = (bytes.little(place, bytes: 2), bytes.little(place + 2, bytes: 2))
        setEnd(0, first)
        setEnd(1, second)
        let hasFour = !mayBeClear || first > second
        for channel in 0..<4 {
            let (a, b) = (colours[channel], colours[4 + channel])
            colours[8 + channel] = hasFour ? (2 * a + b) / 3 : (a + b) / 2
            colours[12 + channel] = hasFour ? (a + 2 * b) / 3 : 0
        }
        let indices = bytes.little(place + 4, bytes: 4)
        for pixel in 0..<16 {
            let index = Int(indices >> UInt32(pixel * 2) & 3)
            for channel in 0..<4 {
                values[pixel * 4 + channel] = UInt8(truncatingIfNeeded: colours[index * 4 + channel])
            }
        }
    }

    /// Five bits of red, six of green, five of blue; the highest bits again as the lowest.
    private mutating func setEnd(_ index: Int, _ colour: UInt32) {
        let (red, green, blue) = (Int(colour >> 11), Int(colour >> 5 & 0x3F), Int(colour & 0x1F))
        colours[index * 4] = red << 3 | red >> 2
        colours[index * 4 + 1] = green << 2 | green >> 4
        colours[index * 4 + 2] = blue << 3 | blue >> 2
        colours[index * 4 + 3] = 255
    }

    private mutating func writeChannel(_ channel: Int, _ bytes: [UInt8], at place: Int) {
        let (a, b) = (Int(bytes[place]), Int(bytes[place + 1]))
        line[0] = a
        line[1] = b
        let steps = a > b ? 7 : 5
        for step in 1..<steps { line[step + 1] = ((steps - step) * a + step * b) / steps }
        if steps == 5 {
            line[6] = 0
            line[7] = 255
        }
        var indices: UInt64 = 0
        for index in 0..<6 { indices |= UInt64(bytes[place + 2 + index]) << UInt64(index * 8) }
        for pixel in 0..<16 {
            let value = line[Int(indices >> UInt64(pixel * 3) & 7)]
            values[pixel * kind.channels + channel] = UInt8(truncatingIfNeeded: value)
        }
    }
}
