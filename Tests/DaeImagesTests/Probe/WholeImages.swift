// Small files of every format that are whole to the byte: nothing stands behind what the format needs.

import DaeImages
import Testing

/// A whole file, which is cut short without its last byte.
struct WholeImage: Sendable, CustomTestStringConvertible {
    let what: String
    let format: ImageFormat
    let bytes: [UInt8]
    /// What it takes on a card.
    let gpuBytes: Int64

    init(_ what: String, _ format: ImageFormat, gpuBytes: Int64, _ bytes: [UInt8]) {
        self.what = what
        self.format = format
        self.gpuBytes = gpuBytes
        self.bytes = bytes
    }

    var fileName: String { "image." + format.extensions[0] }
    var testDescription: String { what }

    static let all = plain + walked + forCards
}

extension WholeImage {
    private typealias Other = OtherFormatsTests

    private static func little(_ values: Int...) -> [UInt8] { values.flatMap(Other.little32) }
    private static func big(_ values: Int...) -> [UInt8] { values.flatMap(Other.big32) }
    static func filler(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) } }

    private static let plain: [WholeImage] = [
        WholeImage("a PNG", .png, gpuBytes: 4 * (8 + 2 + 1), SampleImages.png(width: 4, height: 2)),
        WholeImage(
            "a JPEG with a preview that ends as it does", .jpeg, gpuBytes: 4 * (8 + 2 + 1),
            SampleImages.jpeg(
                width: 4, height: 2, before: [SampleImages.segment(0xE1, SampleImages.jpeg(width: 1, height: 1))])),
        WholeImage(
            "a bitmap", .bmp, gpuBytes: 4 * (15 + 2 + 1), Other.bmp(width: 5, height: 3, bits: 24) + filler(20 + 48)),
        WholeImage(
            "a bitmap with a PNG inside", .bmp, gpuBytes: 4 * (15 + 2 + 1),
            Other.bmp(width: 5, height: 3, bits: 0, compression: 5) + little(90, 0, 0, 0, 0) + filler(90)),
        WholeImage(
            "the smallest bitmap of OS/2", .bmp, gpuBytes: 4,
            Array("BM".utf8) + little(0, 0, 32, 12) + [1, 0, 1, 0, 1, 0, 1, 0] + filler(10)),
        WholeImage("a tiny lossless WebP", .webp, gpuBytes: 4, riff("VP8L", [0x2F, 0, 0, 0, 0, 7])),
        WholeImage(
            "a TGA", .tga, gpuBytes: 4 * 2731, Other.tga(kind: 2, bits: 24) + filler(64 * 32 * 3)),
        WholeImage(
            "a lossy WebP", .webp, gpuBytes: 4 * (8 + 2 + 1),
            riff("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 4, 0, 2, 0] + filler(30))),
        WholeImage(
            "a lossless WebP", .webp, gpuBytes: 4 * (8 + 2 + 1), riff("VP8L", [0x2F] + little(3 | 1 << 14) + filler(31))
        ),
        WholeImage(
            "an extended WebP", .webp, gpuBytes: 4 * (8 + 2 + 1),
            riff("VP8X", [0, 0, 0, 0, 3, 0, 0, 1, 0, 0] + filler(40))),
    ]

    private static func riff(_ chunk: String, _ body: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(12 + body.count) + "WEBP".utf8 + chunk.utf8 + little(body.count) + body
    }

    // MARK: Walked through

    private static let walked: [WholeImage] = [
        WholeImage("a GIF of two images", .gif, gpuBytes: 4 * (8 + 2 + 1), gif),
        WholeImage(
            "a bitmap of packed bytes", .bmp, gpuBytes: 4 * (15 + 2 + 1),
            Other.bmp(width: 5, height: 3, bits: 8, compression: 1) + filler(20)
                + [5, 9, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 1, 0, 2, 8, 0, 1]),
        WholeImage(
            "a bitmap of packed half bytes", .bmp, gpuBytes: 4 * (15 + 2 + 1),
            Other.bmp(width: 5, height: 3, bits: 4, compression: 2) + filler(20)
                + [5, 0x12, 0, 0, 0, 5, 1, 2, 3, 0, 0, 3, 1, 2, 0, 1]),
        WholeImage(
            "a packed TGA", .tga, gpuBytes: 4 * 2731,
            Other.tga(kind: 10, bits: 24, idLength: 3) + [1, 2, 3]
                + (0..<15).flatMap { _ in [0xFF, 1, 2, 3] } + [0x7F] + filler(128 * 3)),
        WholeImage("a TIFF of strips", .tiff, gpuBytes: 4 * (8 + 2 + 1), tiff(.init())),
        WholeImage("a TIFF of tiles", .tiff, gpuBytes: 4 * (8 + 2 + 1), tiff(.init(isTiled: true))),
        WholeImage("a big TIFF", .tiff, gpuBytes: 4 * (8 + 2 + 1), tiff(.init(isBig: true))),
        WholeImage("a TIFF, big end first", .tiff, gpuBytes: 4 * (8 + 2 + 1), tiff(.init(isLittle: false))),
        WholeImage("a TIFF of two pages", .tiff, gpuBytes: 4 * (8 + 2 + 1), tiff(.init(pages: 2))),
        WholeImage(
            "a plain PSD", .psd, gpuBytes: 8 * (800 * 4 + 1063),
            Other.psd(channels: 6, depth: 16) + psdSections
                + [0, 0] + filler(6 * 40 * 160)),
        WholeImage(
            "a packed PSD", .psd, gpuBytes: 4 * (800 * 4 + 1063),
            Other.psd(channels: 3, depth: 8) + psdSections + [0, 1]
                + (0..<120).flatMap { _ in [0, 2] } + filler(240)),
        WholeImage("a flat Radiance picture", .hdr, gpuBytes: 8 * (8 + 2 + 1), hdr("-Y 2 +X 4") + filler(32)),
        WholeImage(
            "a Radiance picture with repeated pixels", .hdr, gpuBytes: 8 * (8 + 2 + 1),
            hdr("-Y 2 +X 4") + [9, 9, 9, 9, 1, 1, 1, 3] + [9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 1, 2]),
        WholeImage(
            "a packed Radiance picture", .hdr, gpuBytes: 8 * (20 + 5 + 2 + 1),
            hdr("+X 2 -Y 10")
                + (0..<2).flatMap { _ in [2, 2, 0, 10] + (0..<4).flatMap { _ in [0x87, 5, 3, 1, 2, 3] as [UInt8] } }),
    ]

    private static var gif: [UInt8] {
        let image: [UInt8] = [
            0x2C, 0, 0, 0, 0, 4, 0, 2, 0, 0x80, 1, 2, 3, 4, 5, 6, 2, 3, 0x3B, 0x3B, 0x3B, 2, 9, 0x3B, 0,
        ]
        return Array("GIF89a".utf8) + [4, 0, 2, 0, 0x80, 0, 0] + filler(6) + [0x21, 0xF9, 4, 0x3B, 0, 0, 0, 0] + image
            + image + [0x3B]
    }

    private static let psdSections = big(3) + filler(3) + big(5) + filler(5) + big(0)

    private static func hdr(_ resolution: String) -> [UInt8] {
        Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n\(resolution)\n".utf8)
    }

    struct TIFF {
        var isLittle = true
        var isBig = false
        var isTiled = false
        var pages = 1
    }

    /// Two parts a page, their lists before its directory and the pixels behind all.
    static func tiff(_ form: TIFF) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return form.isLittle ? bytes : bytes.reversed()
        }
        let word = form.isBig ? 8 : 4
        func entry(_ tag: Int, _ count: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(count > 1 && form.isBig ? 16 : 4, 2) + number(count, word) + number(value, word)
        }
        let entries = 7
        let page = 4 * word + (form.isBig ? 8 : 2) + entries * (form.isBig ? 20 : 12) + word
        let head = form.isBig ? 16 : 8
        let pixels = head + form.pages * page
        var bytes = form.isLittle ? Array("II".utf8) : Array("MM".utf8)
        bytes += number(form.isBig ? 43 : 42, 2) + (form.isBig ? number(8, 2) + number(0, 2) : [])
        bytes += number(head + 4 * word, word)
        for index in 0..<form.pages {
            let start = head + index * page
            let part = pixels + index * 24
            bytes += number(part, word) + number(part + 12, word) + number(12, word) + number(12, word)
            let (offsets, counts) = form.isTiled ? (324, 325) : (273, 279)
            bytes += number(entries, form.isBig ? 8 : 2)
            bytes += entry(256, 1, 4) + entry(257, 1, 2) + entry(258, 1, 8) + entry(262, 1, 2)
            bytes += entry(offsets, 2, start) + entry(277, 1, 3) + entry(counts, 2, start + 2 * word)
            bytes += number(index + 1 < form.pages ? start + page + 4 * word : 0, word)
        }
        return bytes + filler(form.pages * 24)
    }

    // MARK: Made for cards

    private static let forCards: [WholeImage] = [
        // 4 × 2, 2 × 1 and one block twice more.
        WholeImage(
            "a DDS of blocks with smaller levels", .dds, gpuBytes: 16 * (8 + 2 + 1 + 1),
            Other.dds(code: "DXT5", flags: 4, levels: 4) + filler(16 * (8 + 2 + 1 + 1))),
        WholeImage("a DDS of one level", .dds, gpuBytes: 8 * 8, Other.dds(code: "DXT1", flags: 4) + filler(64)),
        WholeImage(
            "a DDS of a cube's faces", .dds, gpuBytes: 6 * 4 * 128, dds(caps: 0xFE00, masks: true) + filler(6 * 4 * 128)
        ),
        WholeImage(
            "a DDS of a volume", .dds, gpuBytes: 3 * 4 * 128, dds(caps: 0x20_0000, masks: true) + filler(3 * 512)),
        WholeImage(
            "a DDS of an array of cubes", .dds, gpuBytes: 2 * 6 * 8 * 16,
            Other.dds(code: "DX10", flags: 4) + little(98, 3, 4, 2, 0) + filler(2 * 6 * 8 * 16)),
        WholeImage(
            "a DDS of tiny floats", .dds, gpuBytes: 128 * 4,
            Other.dds(code: "DX10", flags: 4) + little(26, 3, 0, 1, 0) + filler(512)),
        WholeImage(
            "a KTX with smaller levels", .ktx, gpuBytes: 16 * (8 + 2 + 1),
            ktx(levels: [128, 32, 16], width: 16, height: 8)),
        WholeImage(
            "a KTX of a cube's faces", .ktx, gpuBytes: 6 * 27, ktx(levels: [27], width: 3, height: 3, faces: 6)),
        WholeImage(
            "a KTX 2 with smaller levels", .ktx2, gpuBytes: 16 * (8 + 2 + 1), ktx2(levels: [128, 32, 16])),
    ]

    private static func dds(caps: Int, masks: Bool) -> [UInt8] {
        var bytes = Other.dds(code: "\0\0\0\0", flags: 0x41, bits: 32)
        bytes.replaceSubrange(24..<28, with: little(3))
        bytes.replaceSubrange(92..<108, with: little(0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000))
        bytes.replaceSubrange(112..<116, with: little(caps))
        return bytes
    }

    /// Of BC3, or of three bytes a pixel where there are faces.
    private static func ktx(levels: [Int], width: Int, height: Int, faces: Int = 1) -> [UInt8] {
        var bytes: [UInt8] = [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x31, 0x31, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]
        let format = faces == 1 ? 0x83F3 : 0x8051
        bytes += big(0x0403_0201, 0x1401, 1, 0x1907, format, faces == 1 ? 0x1908 : 0x1907, width, height, 0, 0)
        bytes += big(faces, levels.count, 8) + filler(8)
        for (index, size) in levels.enumerated() {
            bytes += big(size)
            for face in 0..<faces {
                let isLast = index + 1 == levels.count && face + 1 == faces
                bytes += filler(isLast ? size : (size + 3) / 4 * 4)
            }
        }
        return bytes
    }

    /// Of BC7, the smallest level first as the specification wants it.
    private static func ktx2(levels: [Int]) -> [UInt8] {
        var bytes: [UInt8] = [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x32, 0x30, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]
        let index = 80 + 24 * levels.count
        bytes += little(145, 1, 16, 8, 0, 0, 1, levels.count, 0, index, 12, index + 12, 8, 0, 0, 0, 0)
        var end = index + 20 + levels.reduce(0, +)
        for size in levels {
            end -= size
            bytes += little(end, 0, size, 0, size, 0)
        }
        return bytes + filler(20 + levels.reduce(0, +))
    }
}
