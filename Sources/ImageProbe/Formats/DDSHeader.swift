// Layout after Microsoft's DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10; numbers of the last are DXGI_FORMAT's.

enum DDSHeader: ImageHeaderFormat {
    static let format = ImageFormat.dds
    private static let length = 128
    private static let extendedLength = 148

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= length else { return nil }
        guard bytes.little32(4) == 124, bytes.little32(76) == 32 else { return invalid(.brokenStructure) }
        let hasCode = bytes.little32(80) & 4 != 0
        let code = String(decoding: bytes.bytes[84..<88], as: UTF8.self)
        var start = length
        let pixel: Pixel
        if hasCode, code == "DX10" {
            guard bytes.count >= extendedLength else { return nil }
            start = extendedLength
            pixel = Pixel(dxgi: bytes.little32(128))
        } else if hasCode {
            pixel = Pixel(code: code, number: bytes.little32(84))
        } else {
            pixel = Pixel(bits: bytes.little32(88), flags: bytes.little32(80))
        }
        let (height, width) = (bytes.little32(12), bytes.little32(16))
        return image(
            width: width, height: height, channels: pixel.channels, bitDepth: pixel.depth, layout: pixel.layout,
            leastBytes: pixel.bytes(width: width, height: height).map { $0.saturatingAdd(Int64(start)) })
    }

    /// What one pixel is made of.
    private struct Pixel {
        var channels: Int?
        var depth: Int?
        var layout = ImageHeader.Layout.pixels

        /// What Direct3D 9 has: a code of four letters, or a number of its D3DFORMAT.
        init(code: String, number: Int) {
            switch code {
            case "DXT1": self.init(blocks: 8, channels: 4)
            case "DXT2", "DXT3", "DXT4", "DXT5": self.init(blocks: 16, channels: 4)
            case "ATI1", "BC4U", "BC4S": self.init(blocks: 8, channels: 1)
            case "ATI2", "BC5U", "BC5S": self.init(blocks: 16, channels: 2)
            default:  // strings
                switch number {
                case 36, 113: self.init(channels: 4, depth: 16)
                case 111: self.init(channels: 1, depth: 16)
                case 112: self.init(channels: 2, depth: 16)
                case 114: self.init(channels: 1, depth: 32)
                case 115: self.init(channels: 2, depth: 32)
                case 116: self.init(channels: 4, depth: 32)
                default: self.init(channels: nil, depth: nil)  // integers
                }
            }
        }

        init(dxgi number: Int) {
            switch number {
            case 1...4: self.init(channels: 4, depth: 32)
            case 9...14: self.init(channels: 4, depth: 16)
            case 27...32, 87...93: self.init(channels: 4, depth: 8)
            case 33...38: self.init(channels: 2, depth: 16)
            case 48...52: self.init(channels: 2, depth: 8)
            case 53...59: self.init(channels: 1, depth: 16)
            case 60...65: self.init(channels: 1, depth: 8)
            case 70...72: self.init(blocks: 8, channels: 4)
            case 73...78: self.init(blocks: 16, channels: 4)
            case 79...81: self.init(blocks: 8, channels: 1)
            case 82...84: self.init(blocks: 16, channels: 2)
            case 94...96: self.init(blocks: 16, channels: 3)
            case 97...99: self.init(blocks: 16, channels: 4)
            default: self.init(channels: nil, depth: nil)  // integers
            }
        }

        /// Without a code: bits a pixel, and whether one of its values is alpha.
        init(bits: Int, flags: Int) {
            switch bits {
            case 8: self.init(channels: 1, depth: 8)
            case 16 where flags & 0x20000 != 0: self.init(channels: 2, depth: 8)
            case 16: self.init(channels: 3, depth: nil)
            case 24: self.init(channels: 3, depth: 8)
            case 32: self.init(channels: 4, depth: 8)
            default: self.init(channels: nil, depth: nil)  // integers
            }
        }

        private init(channels: Int?, depth: Int?) {
            self.channels = channels
            self.depth = depth
        }

        private init(blocks bytes: Int, channels: Int) {
            self.channels = channels
            depth = 8
            layout = .blocks(width: 4, height: 4, bytes: bytes)
        }

        /// Those of the greatest level, which stands first.
        func bytes(width: Int, height: Int) -> Int64? {
            switch layout {
            case .blocks(let blockWidth, let blockHeight, let bytes):
                .saturatingProduct(
                    (width + blockWidth - 1) / blockWidth, (height + blockHeight - 1) / blockHeight, bytes)
            case .pixels:
                if let channels, let depth { .saturatingProduct(width, height, channels * depth / 8) } else { nil }
            }
        }
    }
}
