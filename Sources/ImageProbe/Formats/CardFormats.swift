// The numbers of Khronos' registries: OpenGL's internal formats that are compressed, and Vulkan's VkFormat.

/// What graphics cards call the forms of their pixels.
enum CardFormats {
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
