// Layouts after Khronos' KTX 1 and KTX 2 specifications. The numbers of version 1 are OpenGL's internal formats, those
// of version 2 Vulkan's VkFormat, 0 where the pixels are Basis Universal's.

enum KTXHeader: ImageHeaderFormat {
    static let format = ImageFormat.ktx

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= 64 else { return nil }
        let order = Array(bytes.bytes[12..<16])
        let isLittle = order == [1, 2, 3, 4]
        guard isLittle || order == [4, 3, 2, 1] else { return invalid(.brokenStructure) }
        func number(_ place: Int) -> Int { isLittle ? bytes.little32(place) : bytes.big32(place) }
        let layout = CardBlocks.layout(openGL: number(28))
        // A height of 0 says that the texture has one dimension.
        return image(
            width: number(36), height: max(1, number(40)), channels: channels(base: number(32)),
            bitDepth: layout == nil ? number(20) * 8 : 8, layout: layout ?? .pixels)
    }

    private static func channels(base: Int) -> Int? {
        switch base {
        case 0x1903, 0x1906, 0x1909: 1
        case 0x8227, 0x190A: 2
        case 0x1907, 0x80E0: 3
        case 0x1908, 0x80E1: 4
        default: nil  // integers
        }
    }
}

enum KTX2Header: ImageHeaderFormat {
    static let format = ImageFormat.ktx2

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        guard bytes.count >= 104 else { return nil }
        let kind = bytes.little32(12)
        let layout = CardBlocks.layout(vulkan: kind)
        let (channels, depth) = CardBlocks.pixel(vulkan: kind)
        // The greatest level stands last in the file; the first of the index is the greatest.
        let end = bytes.little64(80).saturatingAdd(bytes.little64(88))
        return image(
            width: bytes.little32(20), height: max(1, bytes.little32(24)), channels: channels, bitDepth: depth,
            layout: layout ?? .pixels, leastBytes: end)
    }
}

/// The formats of graphics cards that hold pixels in blocks.
private enum CardBlocks {
    private static let astc: [(width: Int, height: Int)] = [
        (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10),
        (12, 12),
    ]

    static func layout(openGL number: Int) -> ImageHeader.Layout? {
        switch number {
        case 0x83F0, 0x83F1, 0x8C4C, 0x8C4D, 0x8DBB, 0x8DBC, 0x8D64, 0x9270, 0x9271, 0x9274...0x9277:
            .blocks(width: 4, height: 4, bytes: 8)
        case 0x83F2, 0x83F3, 0x8C4E, 0x8C4F, 0x8DBD, 0x8DBE, 0x8E8C...0x8E8F, 0x9272, 0x9273, 0x9278, 0x9279:
            .blocks(width: 4, height: 4, bytes: 16)
        case 0x93B0...0x93BD: astc(number - 0x93B0)
        case 0x93D0...0x93DD: astc(number - 0x93D0)
        default: nil  // integers
        }
    }

    static func layout(vulkan number: Int) -> ImageHeader.Layout? {
        switch number {
        case 131...134, 139...140, 147...150, 153...154: .blocks(width: 4, height: 4, bytes: 8)
        // Basis Universal is turned into blocks of 16 bytes, or of 8 where alpha is left out.
        case 0, 135...138, 141...146, 151...152, 155...156: .blocks(width: 4, height: 4, bytes: 16)
        case 157...184: astc((number - 157) / 2)
        default: nil  // integers
        }
    }

    private static func astc(_ index: Int) -> ImageHeader.Layout {
        .blocks(width: astc[index].width, height: astc[index].height, bytes: 16)
    }

    static func pixel(vulkan number: Int) -> (channels: Int?, depth: Int?) {
        switch number {
        case 9...15: (1, 8)
        case 16...22: (2, 8)
        case 23...36: (3, 8)
        case 37...50: (4, 8)
        case 70...76: (1, 16)
        case 77...83: (2, 16)
        case 84...90: (3, 16)
        case 91...97: (4, 16)
        case 98...100: (1, 32)
        case 101...103: (2, 32)
        case 104...106: (3, 32)
        case 107...109: (4, 32)
        case 139...140, 153...154: (1, 8)
        case 141...142, 155...156: (2, 8)
        case 131...132, 143...144, 147...148: (3, 8)
        case 133...138, 145...146, 149...152, 157...184: (4, 8)
        default: (nil, nil)  // integers
        }
    }
}
