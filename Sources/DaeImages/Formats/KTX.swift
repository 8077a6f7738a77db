// Layout after Khronos' KTX 1 specification; the formats' numbers are OpenGL's.

/// The header of a KTX of version 1.
struct KTXHeader: ImageHeaderReader, ImageEndFinder {
    static let format = ImageFormat.ktx
    private static let mostLevels = 32

    private let bytes: [UInt8]
    private let isLittle: Bool

    /// `nil` where the byte order is not given.
    private init?(_ file: inout ImageReader) throws(ImageFault) {
        bytes = try file.bytes(64)
        isLittle = bytes[12] == 1
        guard bytes[12..<16].elementsEqual(isLittle ? [1, 2, 3, 4] : [4, 3, 2, 1]) else { return nil }
    }

    private func number(_ place: Int) -> Int { isLittle ? bytes.little32(place) : bytes.big32(place) }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        guard let header = try KTXHeader(&file) else { return invalid(.brokenStructure) }
        return header.result
    }

    private var result: ImageProbeResult {
        let (type, typeSize, channels) = (number(16), number(20), channels)
        // A packed pixel is one value of its type.
        let isPacked =
            (0x8032...0x8036).contains(type) || (0x8362...0x8368).contains(type) || type == 0x8C3B
            || type == 0x8C3E
        let blocks = Self.block(openGL: number(28))
        let plain = [1, 2, 4].contains(typeSize) ? channels.map { isPacked ? typeSize : typeSize * $0 } : nil
        let levels = number(56)
        let texture = (blocks ?? plain.map { .pixel($0) }).map {
            CardTexture(
                block: $0, levels: levels == 0 ? nil : levels, depth: max(1, number(44)),
                layers: Int(Int64.saturatingProduct(max(1, number(48)), max(1, number(52)))))
        }
        let depth = blocks != nil ? 8 : isPacked || plain == nil ? nil : typeSize * 8
        // A height of 0 says that the texture has one dimension.
        return Self.image(
            width: number(36), height: max(1, number(40)), channels: channels, bitDepth: depth,
            layout: texture.map { .card($0) } ?? .decoded)
    }

    private var channels: Int? {
        switch number(32) {
        case 0x1902, 0x1903, 0x1906, 0x1909: 1
        case 0x8227, 0x190A, 0x84F9: 2
        case 0x1907, 0x80E0: 3
        case 0x1908, 0x80E1: 4
        default: nil
        }
    }

    /// By the number of OpenGL's internal format; `nil` for what is not compressed.
    private static func block(openGL number: Int) -> CardTexture.Block? {
        switch number {
        case 0x83F0, 0x83F1, 0x8C4C, 0x8C4D, 0x8DBB, 0x8DBC, 0x8D64, 0x9270, 0x9271, 0x9274...0x9277: .square(8)
        case 0x83F2, 0x83F3, 0x8C4E, 0x8C4F, 0x8DBD, 0x8DBE, 0x8E8C...0x8E8F, 0x9272, 0x9273, 0x9278, 0x9279:
            .square(16)
        // PVRTC of 4 and of 2 bits.
        case 0x8C00, 0x8C02: .square(8)
        case 0x8C01, 0x8C03: CardTexture.Block(width: 8, height: 4, bytes: 8)
        case 0x93B0...0x93BD: .astc(number - 0x93B0)
        case 0x93D0...0x93DD: .astc(number - 0x93D0)
        default: nil
        }
    }

    /// Goes level by level: each gives its own size, of one face where there are six of no array.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        guard let header = try KTXHeader(&file) else { throw .undecided }
        let levels = max(1, header.number(56))
        guard levels <= mostLevels else { throw .undecided }
        try file.skip(Int64(header.number(60)))
        let images: Int64 = header.number(52) == 6 && header.number(48) == 0 ? 6 : 1
        for level in 1...levels {
            let size = Int64(clamping: try file.number(4, header.isLittle ? .little : .big))
            let padded = size + (4 - size % 4) % 4
            // What fills up the last one may be missing.
            try file.require(file.position + padded * (images - 1) + size)
            if level < levels { try file.skip(padded * images) }
        }
    }
}

// Layout after Khronos' KTX 2 specification; the formats' numbers are Vulkan's, 0 where the pixels are Basis Universal's.

/// The header and level index of a KTX of version 2.
enum KTX2Header: ImageHeaderReader {
    static let format = ImageFormat.ktx2
    private static let indexStart = 80
    private static let indexEntry = 24
    private static let mostLevels = 32

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        var bytes = try file.bytes(indexStart + indexEntry)
        let levels = bytes.little32(40)
        guard levels <= mostLevels else { return invalid(.brokenStructure) }
        let stored = max(1, levels)
        bytes += try file.bytes((stored - 1) * indexEntry)
        let pixel = pixel(vulkan: bytes.little32(12))
        let texture = pixel.block.map {
            CardTexture(
                block: $0, levels: levels == 0 ? nil : levels, depth: max(1, bytes.little32(28)),
                layers: Int(Int64.saturatingProduct(max(1, bytes.little32(32)), max(1, bytes.little32(36)))))
        }
        return image(
            width: bytes.little32(20), height: max(1, bytes.little32(24)), channels: pixel.channels,
            bitDepth: pixel.depth, layout: texture.map { .card($0) } ?? .decoded,
            leastBytes: end(bytes, levels: stored))
    }

    /// Where the last of the levels and of the parts beside them ends; their order is not relied on.
    private static func end(_ bytes: [UInt8], levels: Int) -> Int64 {
        var end = Int64(max(bytes.little32(48) + bytes.little32(52), bytes.little32(56) + bytes.little32(60)))
        for place in [64] + (0..<levels).map({ indexStart + $0 * indexEntry }) {
            end = max(end, bytes.little64(place).saturatingAdd(bytes.little64(place + 8)))
        }
        return end
    }

    /// By the number of Vulkan's VkFormat.
    private static func pixel(vulkan number: Int) -> CardPixel {
        switch number {
        // Basis Universal is turned into blocks of 16 bytes, or of 8 where alpha is left out.
        case 0: (nil, 8, .square(16))
        case 1: (2, 4, .pixel(1))
        case 2...3: (4, 4, .pixel(2))
        case 4...5: (3, nil, .pixel(2))
        case 6...8: (4, nil, .pixel(2))
        case 9...15: (1, 8, .pixel(1))
        case 16...22: (2, 8, .pixel(2))
        case 23...36: (3, 8, .pixel(3))
        case 37...57: (4, 8, .pixel(4))
        case 58...69: (4, nil, .pixel(4))
        case 70...76: (1, 16, .pixel(2))
        case 77...83: (2, 16, .pixel(4))
        case 84...90: (3, 16, .pixel(6))
        case 91...97: (4, 16, .pixel(8))
        case 98...100: (1, 32, .pixel(4))
        case 101...103: (2, 32, .pixel(8))
        case 104...106: (3, 32, .pixel(12))
        case 107...109: (4, 32, .pixel(16))
        case 122...123: (3, nil, .pixel(4))
        case 131...132, 147...148: (3, 8, .square(8))
        case 133...134, 149...150: (4, 8, .square(8))
        case 135...138, 145...146, 151...152: (4, 8, .square(16))
        case 139...140, 153...154: (1, 8, .square(8))
        case 141...142, 155...156: (2, 8, .square(16))
        case 143...144: (3, 8, .square(16))
        case 157...184: (4, 8, .astc((number - 157) / 2))
        case 1_000_066_000...1_000_066_013: (4, 8, .astc(number - 1_000_066_000))
        default: (nil, nil, nil)
        }
    }
}
