// Layout after Microsoft's DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10; numbers of the last are DXGI_FORMAT's.

enum DDSHeader: ImageHeaderFormat {
    static let format = ImageFormat.dds
    private static let length = 128
    private static let extendedLength = 148

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= length else { return nil }
        guard bytes.little32(4) == 124, bytes.little32(76) == 32 else { return invalid(.brokenStructure) }
        let hasCode = bytes.little32(80) & 4 != 0
        let isExtended = hasCode && bytes.bytes[84..<88].elementsEqual("DX10".utf8)
        if isExtended, bytes.count < extendedLength { return nil }
        let pixel: DDSPixel
        if isExtended {
            pixel = DDSPixel(dxgi: bytes.little32(128))
        } else if hasCode {
            pixel = DDSPixel(code: String(decoding: bytes.bytes[84..<88], as: UTF8.self), number: bytes.little32(84))
        } else {
            pixel = DDSPixel(bytes)
        }
        let (height, width) = (bytes.little32(12), bytes.little32(16))
        guard width > 0, height > 0 else { return invalid(.zeroSize) }
        guard let block = pixel.block else {
            return image(width: width, height: height, channels: pixel.channels, bitDepth: pixel.depth)
        }
        let texture = CardTexture(
            block: block, levels: max(1, bytes.little32(28)), depth: depth(bytes, isExtended: isExtended),
            layers: layers(bytes, isExtended: isExtended))
        let start = Int64(isExtended ? extendedLength : length)
        return image(
            width: width, height: height, channels: pixel.channels, bitDepth: pixel.depth, layout: .card(texture),
            leastBytes: texture.bytes(width: width, height: height).saturatingAdd(start))
    }

    private static func depth(_ bytes: HeaderBytes, isExtended: Bool) -> Int {
        let isVolume = isExtended ? bytes.little32(132) == 4 : bytes.little32(112) & 0x20_0000 != 0
        return isVolume ? max(1, bytes.little32(24)) : 1
    }

    /// Faces of a cube, each there or not, or members of an array.
    private static func layers(_ bytes: HeaderBytes, isExtended: Bool) -> Int {
        if isExtended { return max(1, bytes.little32(140)) * (bytes.little32(136) & 4 == 0 ? 1 : 6) }
        let kind = bytes.little32(112)
        return kind & 0x200 == 0 ? 1 : max(1, (kind & 0xFC00).nonzeroBitCount)
    }
}

// Microsoft's numbers: D3DFORMAT's and letters of Direct3D 9, DXGI_FORMAT's since.

/// What one pixel of a DDS is made of.
private struct DDSPixel {
    var channels: Int?
    var depth: Int?
    /// `nil` for a kind that is not known here.
    var block: CardTexture.Block?

    /// What Direct3D 9 has: a code of four letters, or a number.
    init(code: String, number: Int) {
        switch code {
        case "DXT1": self.init(4, blocks: 8)
        case "DXT2", "DXT3", "DXT4", "DXT5": self.init(4, blocks: 16)
        case "ATI1", "BC4U", "BC4S": self.init(1, blocks: 8)
        case "ATI2", "BC5U", "BC5S": self.init(2, blocks: 16)
        case "RGBG", "GRGB", "UYVY", "YUY2": self.init(pairsOf: 3)
        default:
            switch number {
            case 36, 110, 113: self.init(4, depth: 16, bytes: 8)
            case 111: self.init(1, depth: 16, bytes: 2)
            case 112: self.init(2, depth: 16, bytes: 4)
            case 114: self.init(1, depth: 32, bytes: 4)
            case 115: self.init(2, depth: 32, bytes: 8)
            case 116: self.init(4, depth: 32, bytes: 16)
            default: self.init()
            }
        }
    }

    init(dxgi number: Int) {
        switch number {
        case 1...4: self.init(4, depth: 32, bytes: 16)
        case 5...8: self.init(3, depth: 32, bytes: 12)
        case 9...14: self.init(4, depth: 16, bytes: 8)
        case 15...18: self.init(2, depth: 32, bytes: 8)
        case 19...22: self.init(2, depth: nil, bytes: 8)
        case 23...25, 89: self.init(4, depth: nil, bytes: 4)
        case 26, 67: self.init(3, depth: nil, bytes: 4)
        case 27...32, 87, 90, 91: self.init(4, depth: 8, bytes: 4)
        case 88, 92, 93: self.init(3, depth: 8, bytes: 4)
        case 33...38: self.init(2, depth: 16, bytes: 4)
        case 39...43: self.init(1, depth: 32, bytes: 4)
        case 44...47: self.init(2, depth: nil, bytes: 4)
        case 48...52: self.init(2, depth: 8, bytes: 2)
        case 53...59: self.init(1, depth: 16, bytes: 2)
        case 60...65: self.init(1, depth: 8, bytes: 1)
        case 68, 69, 107: self.init(pairsOf: 3)
        case 70...72: self.init(4, blocks: 8)
        case 73...78: self.init(4, blocks: 16)
        case 79...81: self.init(1, blocks: 8)
        case 82...84: self.init(2, blocks: 16)
        case 85: self.init(3, depth: nil, bytes: 2)
        case 86: self.init(4, depth: nil, bytes: 2)
        case 94...96: self.init(3, blocks: 16)
        case 97...99: self.init(4, blocks: 16)
        case 115, 191: self.init(4, depth: 4, bytes: 2)
        default: self.init()
        }
    }

    /// Without a code: bits a pixel, and a mask for each of its values.
    ///
    /// - Parameter header: The file's first 128 bytes.
    init(_ header: HeaderBytes) {
        let (flags, bits) = (header.little32(80), header.little32(88))
        // With a palette its bytes stand first.
        guard flags & 0x20 == 0, [8, 16, 24, 32, 64, 128].contains(bits) else {
            self.init()
            return
        }
        // Of grey pixels all colours may have the same bits.
        let masks = Set([92, 96, 100, 104].map { header.little32($0) }).subtracting([0]).map(\.nonzeroBitCount)
        let isEven = masks.allSatisfy { $0 == masks.first }
        switch (masks.count, bits) {
        // Some writers leave the masks out.
        case (0, 8): self.init(1, depth: 8, bytes: 1)
        case (0, 16): self.init(flags & 0x20000 == 0 ? 3 : 2, depth: flags & 0x20000 == 0 ? nil : 8, bytes: 2)
        case (0, 24): self.init(3, depth: 8, bytes: 3)
        case (0, 32): self.init(4, depth: 8, bytes: 4)
        case (0, _): self.init()
        case (let count, _): self.init(count, depth: isEven ? masks.first : nil, bytes: bits / 8)
        }
    }

    private init() {}

    private init(_ channels: Int, depth: Int?, bytes: Int) {
        self.channels = channels
        self.depth = depth
        block = .pixel(bytes)
    }

    private init(_ channels: Int, blocks bytes: Int) {
        self.channels = channels
        depth = 8
        block = .square(bytes)
    }

    /// Two pixels side by side share some of their values.
    private init(pairsOf channels: Int) {
        self.channels = channels
        depth = 8
        block = CardTexture.Block(width: 2, height: 1, bytes: 4)
    }
}
