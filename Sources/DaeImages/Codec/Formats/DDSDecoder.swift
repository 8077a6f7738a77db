/// Reads the greatest level of the first layer of a DDS: blocks of BC1 to BC5 without a sign, and plain pixels.
///
/// Two channels (BC5) are the first two numbers of a direction, as normal maps have them: the third follows from its
/// length of 1.
enum DDSDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let image = try DDSFileHeader(file)
        var raster: Raster
        switch image.form {
        case .blocks(let kind): raster = try blocks(kind, file, image, limits)
        case .pixels(let size, let fields): raster = try pixels(size, fields, file, image, limits)
        }
        switch image.alpha {
        case .straight: break
        case .multiplied: raster.divideByAlpha()
        case .none: raster.keepChannels(3)
        }
        return raster
    }

    private static func pixels(
        _ size: Int, _ fields: BitFields, _ file: FileBytes, _ image: DDSFileHeader, _ limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try limits.check(width: image.width, height: image.height, channels: fields.count)
        let area = image.width * image.height
        var raster = try Raster(
            width: image.width, height: image.height, channels: fields.count, limits: limits,
            source: (there: file.count - image.start, least: area * size))
        let there = min(area, max(0, file.count - image.start) / size)
        guard there > 0 else { throw .truncated }
        for index in 0..<there {
            fields.write(
                file.little(image.start + index * size, bytes: size), to: &raster.bytes, at: index * fields.count)
        }
        if there < area { raster.completeness = .cut }
        return raster
    }

    private static func blocks(
        _ kind: BlockKind, _ file: FileBytes, _ image: DDSFileHeader, _ limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try limits.check(width: image.width, height: image.height, channels: kind.channels)
        let (across, down) = ((image.width + 3) / 4, (image.height + 3) / 4)
        var raster = try Raster(
            width: image.width, height: image.height, channels: kind.channels, limits: limits,
            source: (there: file.count - image.start, least: across * down * kind.bytes))
        let there = min(across * down, max(0, file.count - image.start) / kind.bytes)
        guard there > 0 else { throw .truncated }
        var decoder = BlockDecoder(kind)
        for index in 0..<there {
            decoder.decode(file, at: image.start + index * kind.bytes)
            let (left, top) = (index % across * 4, index / across * 4)
            for y in 0..<min(4, image.height - top) {
                let target = (top + y) * raster.rowBytes + left * kind.channels
                for place in 0..<(min(4, image.width - left) * kind.channels) {
                    raster.bytes[target + place] = decoder.values[y * 4 * kind.channels + place]
                }
            }
        }
        if there < across * down { raster.completeness = .cut }
        return raster
    }
}

// After Microsoft's DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10; numbers of the last are DXGI_FORMAT's.

/// What stands before the pixels of a DDS.
private struct DDSFileHeader {
    enum Form {
        case blocks(BlockKind)
        /// Pixels of whole bytes.
        case pixels(bytes: Int, BitFields)
    }

    enum Alpha {
        case straight
        case multiplied
        case none
    }

    let width: Int
    let height: Int
    let form: Form
    let alpha: Alpha
    /// Where the pixels begin.
    let start: Int

    private static let length = 128
    private static let extension10 = 20

    init(_ file: FileBytes) throws(ImageFault) {
        guard let height = file.little32(12), let width = file.little32(16), let flags = file.little32(80),
            let code = file.text(84, count: 4), file.count >= Self.length
        else { throw .truncated }
        (self.width, self.height) = (width, height)
        if flags & 4 != 0, code == "DX10" {
            guard let number = file.little32(128), let misc = file.little32(144) else { throw .truncated }
            form = try Self.form(dxgi: number)
            alpha = misc & 7 == 2 ? .multiplied : misc & 7 == 3 ? .none : .straight
            start = Self.length + Self.extension10
        } else if flags & 4 != 0 {
            (form, alpha) = try Self.form(code: code)
            start = Self.length
        } else {
            form = try Self.form(file, flags: flags)
            alpha = .straight
            start = Self.length
        }
    }

    private static func form(code: String) throws(ImageFault) -> (Form, Alpha) {
        switch code {
        case "DXT1": (.blocks(.bc1), .straight)
        case "DXT2": (.blocks(.bc2), .multiplied)
        case "DXT3": (.blocks(.bc2), .straight)
        case "DXT4": (.blocks(.bc3), .multiplied)
        case "DXT5": (.blocks(.bc3), .straight)
        case "ATI1", "BC4U": (.blocks(.bc4), .straight)
        case "ATI2", "BC5U": (.blocks(.bc5), .straight)
        default: throw .unsupported("a DDS of the kind \(name(code))")
        }
    }

    /// What is no text is a number of Direct3D 9.
    private static func name(_ code: String) -> String {
        if code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return code }
        return "\(code.utf8.first ?? 0)"
    }

    private static func form(dxgi number: Int) throws(ImageFault) -> Form {
        switch number {
        case 24: .pixels(bytes: 4, try BitFields(masks: [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000]))
        case 28, 29: .pixels(bytes: 4, try BitFields(masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]))
        case 49: .pixels(bytes: 2, try BitFields(masks: [0xFF, 0xFF00, 0]))
        case 61: .pixels(bytes: 1, try BitFields(masks: [0xFF]))
        case 65: .pixels(bytes: 1, try BitFields(masks: [0, 0, 0, 0xFF]))
        case 70...72: .blocks(.bc1)
        case 73...75: .blocks(.bc2)
        case 76...78: .blocks(.bc3)
        case 79, 80: .blocks(.bc4)
        case 82, 83: .blocks(.bc5)
        case 85: .pixels(bytes: 2, try BitFields(masks: [0xF800, 0x7E0, 0x1F]))
        case 86: .pixels(bytes: 2, try BitFields(masks: BitFields.fifteenBits))
        case 87, 91: .pixels(bytes: 4, try BitFields(masks: BitFields.thirtyTwoBits))
        case 88, 93: .pixels(bytes: 4, try BitFields(masks: Array(BitFields.thirtyTwoBits.prefix(3))))
        case 94...96: throw .unsupported("a DDS of the kind BC6H")
        case 97...99: throw .unsupported("a DDS of the kind BC7")
        case 115: .pixels(bytes: 2, try BitFields(masks: [0xF00, 0xF0, 0xF, 0xF000]))
        default: throw .unsupported("a DDS of DXGI's format \(number)")
        }
    }

    /// By the masks of the header.
    private static func form(_ file: FileBytes, flags: Int) throws(ImageFault) -> Form {
        let bits = file.little32(88) ?? 0
        guard [8, 16, 24, 32].contains(bits) else { throw .unsupported("a DDS of \(bits) bits a pixel") }
        let masks = [92, 96, 100, 104].map { file.little($0, bytes: 4) }
        let alpha = flags & 3 == 0 || masks[3] == 0 ? [] : [masks[3]]
        let isGrey = flags & 0x2_0000 != 0
        let fields: BitFields
        if flags & 0x40 != 0 {
            fields = try BitFields(masks: Array(masks.prefix(3)) + alpha)
        } else if isGrey {
            fields = try BitFields(masks: [masks[0]] + alpha)
        } else if flags & 2 != 0, !alpha.isEmpty {
            fields = try BitFields(masks: [0, 0, 0] + alpha)
        } else {
            throw .unsupported("a DDS whose pixels are no colours")
        }
        return .pixels(bytes: bits / 8, fields)
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

    var bytes: Int {
        switch self {
        case .bc1, .bc4: 8
        case .bc2, .bc3, .bc5: 16
        }
    }

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

    /// Whoever asks has seen that the block is there.
    mutating func decode(_ file: FileBytes, at place: Int) {
        switch kind {
        case .bc1: writeColours(file, at: place, mayBeClear: true)
        case .bc2:
            writeColours(file, at: place + 8, mayBeClear: false)
            for pixel in 0..<16 {
                let pair = file.all[place + pixel / 2]
                values[pixel * 4 + 3] = (pixel % 2 == 0 ? pair & 0xF : pair >> 4) * 17
            }
        case .bc3:
            writeColours(file, at: place + 8, mayBeClear: false)
            writeChannel(3, file, at: place)
        case .bc4: writeChannel(0, file, at: place)
        case .bc5:
            writeChannel(0, file, at: place)
            writeChannel(1, file, at: place + 8)
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

    private mutating func writeColours(_ file: FileBytes, at place: Int, mayBeClear: Bool) {
        let (first, second) = (file.little(place, bytes: 2), file.little(place + 2, bytes: 2))
        setEnd(0, first)
        setEnd(1, second)
        let hasFour = !mayBeClear || first > second
        for channel in 0..<4 {
            let (a, b) = (colours[channel], colours[4 + channel])
            colours[8 + channel] = hasFour ? (2 * a + b) / 3 : (a + b) / 2
            colours[12 + channel] = hasFour ? (a + 2 * b) / 3 : 0
        }
        let indices = file.little(place + 4, bytes: 4)
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

    private mutating func writeChannel(_ channel: Int, _ file: FileBytes, at place: Int) {
        let (a, b) = (Int(file.all[place]), Int(file.all[place + 1]))
        line[0] = a
        line[1] = b
        let steps = a > b ? 7 : 5
        for step in 1..<steps { line[step + 1] = ((steps - step) * a + step * b) / steps }
        if steps == 5 {
            line[6] = 0
            line[7] = 255
        }
        var indices: UInt64 = 0
        for index in 0..<6 { indices |= UInt64(file.all[place + 2 + index]) << UInt64(index * 8) }
        for pixel in 0..<16 {
            let value = line[Int(indices >> UInt64(pixel * 3) & 7)]
            values[pixel * kind.channels + channel] = UInt8(truncatingIfNeeded: value)
        }
    }
}
