// Layout after Khronos' KTX 1 specification; the formats' numbers are OpenGL's.

enum KTXHeader: ImageHeaderFormat {
    static let format = ImageFormat.ktx

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= 64 else { return nil }
        let order = Array(bytes.bytes[12..<16])
        let isLittle = order == [1, 2, 3, 4]
        guard isLittle || order == [4, 3, 2, 1] else { return invalid(.brokenStructure) }
        func number(_ place: Int) -> Int { isLittle ? bytes.little32(place) : bytes.big32(place) }
        let (type, typeSize, channels) = (number(16), number(20), channels(base: number(32)))
        // A packed pixel is one value of its type.
        let isPacked =
            (0x8032...0x8036).contains(type) || (0x8362...0x8368).contains(type) || type == 0x8C3B
            || type == 0x8C3E
        let blocks = CardFormats.block(openGL: number(28))
        let plain = [1, 2, 4].contains(typeSize) ? channels.map { isPacked ? typeSize : typeSize * $0 } : nil
        let levels = number(56)
        let texture = (blocks ?? plain.map { .pixel($0) }).map {
            CardTexture(
                block: $0, levels: levels == 0 ? nil : levels, depth: max(1, number(44)),
                layers: max(1, number(48)).saturatingTimes(max(1, number(52))))
        }
        let depth = blocks != nil ? 8 : isPacked || plain == nil ? nil : typeSize * 8
        // A height of 0 says that the texture has one dimension.
        return image(
            width: number(36), height: max(1, number(40)), channels: channels, bitDepth: depth,
            layout: texture.map { .card($0) } ?? .decoded)
    }

    private static func channels(base: Int) -> Int? {
        switch base {
        case 0x1902, 0x1903, 0x1906, 0x1909: 1
        case 0x8227, 0x190A, 0x84F9: 2
        case 0x1907, 0x80E0: 3
        case 0x1908, 0x80E1: 4
        default: nil
        }
    }
}

// Layout after Khronos' KTX 2 specification; the formats' numbers are Vulkan's, 0 where the pixels are Basis Universal's.

enum KTX2Header: ImageHeaderFormat {
    static let format = ImageFormat.ktx2
    private static let indexStart = 80
    private static let indexEntry = 24
    private static let mostLevels = 32

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= indexStart + indexEntry else { return nil }
        let levels = bytes.little32(40)
        guard levels <= mostLevels else { return invalid(.brokenStructure) }
        let stored = max(1, levels)
        guard bytes.count >= indexStart + stored * indexEntry else { return nil }
        let kind = bytes.little32(12)
        let pixel = CardFormats.pixel(vulkan: kind)
        let texture = pixel.block.map {
            CardTexture(
                block: $0, levels: levels == 0 ? nil : levels, depth: max(1, bytes.little32(28)),
                layers: max(1, bytes.little32(32)).saturatingTimes(max(1, bytes.little32(36))))
        }
        return image(
            width: bytes.little32(20), height: max(1, bytes.little32(24)), channels: pixel.channels,
            bitDepth: pixel.depth, layout: texture.map { .card($0) } ?? .decoded,
            leastBytes: end(bytes, levels: stored))
    }

    /// Where the last of the levels and of the parts beside them ends; their order is not relied on.
    private static func end(_ bytes: HeaderBytes, levels: Int) -> Int64 {
        var end = Int64(bytes.little32(48) + bytes.little32(52))
        end = max(end, Int64(bytes.little32(56) + bytes.little32(60)))
        end = max(end, bytes.little64(64).saturatingAdd(bytes.little64(72)))
        for level in 0..<levels {
            let place = indexStart + level * indexEntry
            end = max(end, bytes.little64(place).saturatingAdd(bytes.little64(place + 8)))
        }
        return end
    }
}

// The numbers of Khronos' registries: OpenGL's internal formats that are compressed, and Vulkan's VkFormat.

/// What graphics cards call the forms of their pixels.
private enum CardFormats {
    /// What one pixel is made of; each part `nil` where that is not known here.
    struct Pixel {
        var channels: Int?
        var depth: Int?
        var block: CardTexture.Block?

        fileprivate init(_ channels: Int? = nil, _ depth: Int? = nil, _ block: CardTexture.Block? = nil) {
            self.channels = channels
            self.depth = depth
            self.block = block
        }
    }

    private static let astc: [(width: Int, height: Int)] = [
        (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10),
        (12, 12),
    ]

    /// `nil` for what is not compressed.
    static func block(openGL number: Int) -> CardTexture.Block? {
        switch number {
        case 0x83F0, 0x83F1, 0x8C4C, 0x8C4D, 0x8DBB, 0x8DBC, 0x8D64, 0x9270, 0x9271, 0x9274...0x9277: .square(8)
        case 0x83F2, 0x83F3, 0x8C4E, 0x8C4F, 0x8DBD, 0x8DBE, 0x8E8C...0x8E8F, 0x9272, 0x9273, 0x9278, 0x9279:
            .square(16)
        // PVRTC of 4 and of 2 bits.
        case 0x8C00, 0x8C02: .square(8)
        case 0x8C01, 0x8C03: CardTexture.Block(width: 8, height: 4, bytes: 8)
        case 0x93B0...0x93BD: astc(number - 0x93B0)
        case 0x93D0...0x93DD: astc(number - 0x93D0)
        default: nil
        }
    }

    static func pixel(vulkan number: Int) -> Pixel {
        if let block = block(vulkan: number) { return Pixel(channels(vulkan: number), 8, block) }
        return switch number {
        case 1: Pixel(2, 4, .pixel(1))
        case 2...3: Pixel(4, 4, .pixel(2))
        case 4...5: Pixel(3, nil, .pixel(2))
        case 6...8: Pixel(4, nil, .pixel(2))
        case 9...15: Pixel(1, 8, .pixel(1))
        case 16...22: Pixel(2, 8, .pixel(2))
        case 23...36: Pixel(3, 8, .pixel(3))
        case 37...57: Pixel(4, 8, .pixel(4))
        case 58...69: Pixel(4, nil, .pixel(4))
        case 70...76: Pixel(1, 16, .pixel(2))
        case 77...83: Pixel(2, 16, .pixel(4))
        case 84...90: Pixel(3, 16, .pixel(6))
        case 91...97: Pixel(4, 16, .pixel(8))
        case 98...100: Pixel(1, 32, .pixel(4))
        case 101...103: Pixel(2, 32, .pixel(8))
        case 104...106: Pixel(3, 32, .pixel(12))
        case 107...109: Pixel(4, 32, .pixel(16))
        case 122...123: Pixel(3, nil, .pixel(4))
        default: Pixel()
        }
    }

    private static func block(vulkan number: Int) -> CardTexture.Block? {
        switch number {
        case 131...134, 139...140, 147...150, 153...154: .square(8)
        // Basis Universal is turned into blocks of 16 bytes, or of 8 where alpha is left out.
        case 0, 135...138, 141...146, 151...152, 155...156: .square(16)
        case 157...184: astc((number - 157) / 2)
        case 1_000_066_000...1_000_066_013: astc(number - 1_000_066_000)
        default: nil
        }
    }

    /// Of compressed pixels.
    private static func channels(vulkan number: Int) -> Int? {
        switch number {
        case 139...140, 153...154: 1
        case 141...142, 155...156: 2
        case 131...132, 143...144, 147...148: 3
        case 0: nil
        default: 4
        }
    }

    private static func astc(_ index: Int) -> CardTexture.Block {
        CardTexture.Block(width: astc[index].width, height: astc[index].height, bytes: 16)
    }
}

/// Pixels in the form that a graphics card takes.
package struct CardTexture: Sendable, Equatable {
    /// What is stored as one.
    package struct Block: Sendable, Equatable {
        /// Pixels, at least 1; 1 where pixels are not compressed.
        package let width: Int
        package let height: Int
        package let bytes: Int

        package init(width: Int, height: Int, bytes: Int) {
            self.width = width
            self.height = height
            self.bytes = bytes
        }

        /// One pixel by itself.
        package static func pixel(_ bytes: Int) -> Block { Block(width: 1, height: 1, bytes: bytes) }

        /// 4 × 4 pixels.
        static func square(_ bytes: Int) -> Block { Block(width: 4, height: 4, bytes: bytes) }
    }

    package let block: Block
    /// The image and its smaller versions, each half as wide and high; `nil` for all down to one pixel.
    package let levels: Int?
    /// Slices of a volume, halved with each level; 1 for any other image.
    package let depth: Int
    /// Faces of a cube, members of an array; 1 for any other image.
    package let layers: Int

    package init(block: Block, levels: Int? = nil, depth: Int = 1, layers: Int = 1) {
        self.block = block
        self.levels = levels
        self.depth = depth
        self.layers = layers
    }

    /// Of an image of that size, with all levels and layers; the greatest number where there would be more.
    package func bytes(width: Int, height: Int) -> Int64 {
        var total: Int64 = 0
        var (width, height, depth) = (width, height, depth)
        var left = levels ?? .max
        while left > 0 {
            let (across, down) = ((width - 1) / block.width + 1, (height - 1) / block.height + 1)
            total = total.saturatingAdd(.saturatingProduct(across, down, block.bytes, depth, layers))
            guard width > 1 || height > 1 || depth > 1 else { break }
            (width, height, depth) = (max(1, width / 2), max(1, height / 2), max(1, depth / 2))
            left -= 1
        }
        return total
    }
}

// Level by level: each tells its own size, of one face where there are six of no array.

enum KTXEnding: ImageEndingFormat {
    private static let mostLevels = 32

    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(12)
        let order: ImageFileBytes.Order = try file.byte() == 1 ? .little : .big
        try file.seek(48)
        let elements = try file.number(4, order)
        let faces = try file.number(4, order)
        let levels = max(1, try file.number(4, order))
        let metadata = try file.number(4, order)
        guard levels <= mostLevels else { throw .undecided }
        try file.skip(metadata)
        for level in 0..<levels {
            let size = try file.number(4, order)
            let images = faces == 6 && elements == 0 ? Int64(6) : 1
            let padded = size + (4 - size % 4) % 4
            // What fills up the last one may be missing.
            let end = file.position + padded * (images - 1) + size
            try file.require(end)
            if level < levels - 1 { try file.skip(padded * images) }
        }
    }
}
