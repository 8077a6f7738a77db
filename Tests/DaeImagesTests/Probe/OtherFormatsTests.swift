// Headers put together by hand after each format's specification.

import Testing

@testable import DaeImages

@Suite struct OtherFormatsTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let what: String
        let bytes: [UInt8]
        var fileName = ""
        let header: ImageHeader
        var gpuBytes: Int64?
        var testDescription: String { what }
    }

    static let samples: [Sample] = [
        Sample(
            what: "a GIF of 16 colours",
            bytes: Array("GIF89a".utf8) + little16(300) + little16(20) + [0x93, 0, 0] + pad,
            header: ImageHeader(format: .gif, width: 300, height: 20, channels: 3, bitDepth: 4)),
        Sample(
            what: "a bitmap, top row first", bytes: bmp(width: 5, height: -7, bits: 24) + pad,
            header: ImageHeader(
                format: .bmp, width: 5, height: 7, channels: 3, bitDepth: 8, leastBytes: 54 + 7 * 16)),
        Sample(
            what: "a bitmap of OS/2",
            bytes: Array("BM".utf8) + little32(0) + little32(0) + little32(26) + little32(12) + little16(9)
                + little16(3)
                + little16(1) + little16(1) + pad,
            header: ImageHeader(format: .bmp, width: 9, height: 3, channels: 3, bitDepth: 1, leastBytes: 26 + 12)),
        Sample(
            what: "a packed bitmap", bytes: bmp(width: 5, height: 7, bits: 8, compression: 1) + pad,
            header: ImageHeader(format: .bmp, width: 5, height: 7, channels: 3, bitDepth: 8)),
        Sample(
            what: "a TGA of true colour", bytes: tga(kind: 2, bits: 32, idLength: 10) + pad, fileName: "a.TGA",
            header: ImageHeader(
                format: .tga, width: 64, height: 32, channels: 4, bitDepth: 8, leastBytes: 28 + 64 * 32 * 4)),
        Sample(
            what: "a packed grey TGA", bytes: tga(kind: 11, bits: 8) + pad, fileName: "a.tga",
            header: ImageHeader(format: .tga, width: 64, height: 32, channels: 1, bitDepth: 8)),
        Sample(
            what: "a TGA with a palette", bytes: tga(kind: 1, bits: 8, palette: 24) + pad, fileName: "a.tga",
            header: ImageHeader(
                format: .tga, width: 64, height: 32, channels: 3, bitDepth: 8, leastBytes: 18 + 256 * 3 + 64 * 32)),
        Sample(
            what: "a TIFF, little end first", bytes: tiff(little: true, at: 8) + pad,
            header: ImageHeader(format: .tiff, width: 1000, height: 2, channels: 3, bitDepth: 8)),
        Sample(
            what: "a TIFF, its directory behind its pixels", bytes: tiff(little: false, at: 100_000) + pad,
            header: ImageHeader(format: .tiff, width: 1000, height: 2, channels: 3, bitDepth: 8)),
        Sample(
            what: "a DDS of blocks", bytes: dds(code: "DXT5", flags: 4, levels: 5) + pad,
            header: ImageHeader(
                format: .dds, width: 16, height: 8, channels: 4, bitDepth: 8,
                layout: .card(.init(block: .init(width: 4, height: 4, bytes: 16), levels: 5)),
                leastBytes: 128 + 16 * (8 + 2 + 1 + 1 + 1)),
            // 4 × 2, 2 × 1, and three levels of one block.
            gpuBytes: 16 * (8 + 2 + 1 + 1 + 1)),
        Sample(
            what: "a DDS of BC1 in the later header",
            bytes: dds(code: "DX10", flags: 4) + little32(71) + little32(3) + little32(0) + little32(1) + little32(0),
            header: ImageHeader(
                format: .dds, width: 16, height: 8, channels: 4, bitDepth: 8,
                layout: .card(.init(block: .init(width: 4, height: 4, bytes: 8), levels: 1)),
                leastBytes: 148 + 4 * 2 * 8),
            gpuBytes: 4 * 2 * 8),
        Sample(
            what: "a DDS of plain pixels", bytes: dds(code: "\0\0\0\0", flags: 0x41, bits: 32) + pad,
            header: ImageHeader(
                format: .dds, width: 16, height: 8, channels: 4, bitDepth: 8,
                layout: .card(.init(block: .pixel(4), levels: 1)), leastBytes: 128 + 16 * 8 * 4)),
        Sample(
            what: "a KTX of ASTC 8×8", bytes: ktx(internalFormat: 0x93B7, base: 0x1908) + pad,
            header: ImageHeader(
                format: .ktx, width: 100, height: 50, channels: 4, bitDepth: 8,
                layout: .card(.init(block: .init(width: 8, height: 8, bytes: 16), levels: 1)))),
        Sample(
            what: "a KTX 2 of BC7", bytes: ktx2(vulkan: 145) + pad,
            header: ImageHeader(
                format: .ktx2, width: 100, height: 50, channels: 4, bitDepth: 8,
                layout: .card(.init(block: .init(width: 4, height: 4, bytes: 16), levels: 1)), leastBytes: 5000)),
        Sample(
            what: "a lossy WebP",
            bytes: webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little16(0x4000 | 33) + little16(17)),
            header: ImageHeader(format: .webp, width: 33, height: 17, channels: 3, bitDepth: 8, leastBytes: 1008)),
        Sample(
            what: "a lossless WebP", bytes: webp("VP8L", [0x2F] + little32(32 | 16 << 14 | 1 << 28) + pad),
            header: ImageHeader(format: .webp, width: 33, height: 17, channels: 4, bitDepth: 8, leastBytes: 1008)),
        Sample(
            what: "an extended WebP", bytes: webp("VP8X", [0x10, 0, 0, 0, 32, 0, 0, 16, 0, 0]),
            header: ImageHeader(format: .webp, width: 33, height: 17, channels: 4, bitDepth: 8, leastBytes: 1008)),
        Sample(
            what: "a PSD with two masks", bytes: psd(channels: 6, depth: 16) + pad,
            header: ImageHeader(format: .psd, width: 80, height: 40, channels: 4, bitDepth: 16),
            gpuBytes: nil),
        Sample(
            what: "a Radiance picture",
            bytes: Array("#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\n\n-Y 40 +X 80\n".utf8) + pad,
            header: ImageHeader(format: .hdr, width: 80, height: 40, channels: 3, bitDepth: 32)),
    ]

    @Test(arguments: samples) func aHeaderTellsSizeChannelsAndDepth(sample: Sample) throws {
        #expect(ImageProbe.probe(sample.bytes, fileName: sample.fileName) == .image(sample.header))
        if let gpuBytes = sample.gpuBytes { #expect(sample.header.gpuBytes == gpuBytes) }
    }

    @Test(arguments: samples) func everyPrefixIsTruncatedUntilItsSizeIsThere(sample: Sample) {
        for count in 0..<min(sample.bytes.count, 400) {
            let result = ImageProbe.probe(Array(sample.bytes.prefix(count)), fileName: sample.fileName)
            switch result {
            case .image(let header): #expect(header == sample.header)
            case .truncated(let format): #expect(format == sample.header.format)
            case .unrecognised: #expect(count < 18)
            case .empty: #expect(count == 0)
            case .outOfReach, .invalid: Issue.record("\(count) bytes: \(result)")
            }
        }
    }

    @Test func aTIFFThatIsReadAtAnyPlaceIsNotReadInBetween() {
        let bytes = Self.tiff(little: true, at: 3_000_000)
        var asked: [Int64] = []
        let result = ImageProbe.probe { offset, count in
            asked.append(offset)
            return Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
        #expect(result.header?.width == 1000)
        #expect(asked == [0, 3_000_000])
        #expect(ImageProbe.probe(bytes) == result)
    }

    @Test(arguments: [(40, 16), (0, nil)] as [(Int, Int?)])
    func theBitsOfSeveralSamplesAreReadWhereTheyStandBehindTheDirectory(distance: Int, bits: Int?) {
        var bytes = Self.tiff(little: true, at: 8)
        // The entry of the bits: three of them, elsewhere.
        let entry = 8 + 2 + 2 * 12
        let place = distance == 0 ? 4 : bytes.count + distance
        bytes.replaceSubrange((entry + 4)..<(entry + 12), with: Self.little32(3) + Self.little32(place))
        bytes += [UInt8](repeating: 0, count: distance) + Self.little16(16) + Self.little32(0)
        let header = ImageProbe.probe(bytes).header
        #expect(header?.bitDepth == bits)
        #expect(header?.channels == 3)
        // 1000 × 2, 500, 250 and so on to 1.
        #expect(header?.gpuBytes == Int64(bits == nil ? 4 : 8) * (2000 + 500 + 250 + 125 + 62 + 31 + 15 + 7 + 3 + 1))
    }

    @Test func aDDSOfGreyPixelsMayTellTheSameBitsForAllColours() {
        var bytes = Self.dds(code: "\0\0\0\0", flags: 0x20000, bits: 8)
        bytes.replaceSubrange(92..<104, with: Self.little32(0xFF) + Self.little32(0xFF) + Self.little32(0xFF))
        let header = ImageProbe.probe(bytes).header
        #expect(header?.channels == 1)
        #expect(header?.bitDepth == 8)
        #expect(header?.leastBytes == 256)
    }

    @Test func aTIFFWhoseDirectoryIsTooFarIsOutOfReach() {
        let header = Array("II*\0".utf8) + Self.little32(1 << 30)
        #expect(ImageProbe.probe(header) == .outOfReach(.tiff))
        #expect(ImageProbe.probe(Array("II*\0".utf8) + Self.little32(4)) == .invalid(.tiff, .brokenStructure))
    }

    @Test func whatOnlyTheNameCallsATGAIsNoImage() {
        #expect(ImageProbe.probe([UInt8](repeating: 0x41, count: 100), fileName: "a.tga") == .unrecognised)
        #expect(ImageProbe.probe(Self.tga(kind: 2, bits: 24) + Self.pad) == .unrecognised)
        #expect(ImageProbe.probe(Self.tga(kind: 2, bits: 24) + Self.pad, fileName: "a.png") == .unrecognised)
    }

    @Test func aLyingNameIsOverruledByTheSignature() {
        let result = ImageProbe.probe(SampleImages.png(width: 2, height: 2), fileName: "a.tga")
        #expect(result.format == .png)
    }

    @Test func sizesThatNoCardHasDoNotOverflow() {
        let header = ImageHeader(
            format: .png, width: Int(Int32.max), height: Int(Int32.max), channels: 4, bitDepth: 16)
        #expect(header.gpuBytes == .max)
        let bytes = Self.bmp(width: Int32.max, height: Int32.min, bits: 32) + Self.pad
        #expect(ImageProbe.probe(bytes) == .invalid(.bmp, .sizeTooLarge))
    }

    @Test func anImageOfOnePixelTakesOnePixel() {
        #expect(ImageHeader(format: .png, width: 1, height: 1, channels: 3, bitDepth: 8).gpuBytes == 4)
        // 4, 2, 1 pixels on a side.
        #expect(ImageHeader(format: .png, width: 4, height: 4, channels: 3, bitDepth: 16).gpuBytes == 8 * (16 + 4 + 1))
    }

    // MARK: Bytes

    static let pad = [UInt8](repeating: 0, count: 40)

    static func little16(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
    static func little32(_ value: Int) -> [UInt8] { little16(value & 0xFFFF) + little16(value >> 16 & 0xFFFF) }
    static func big16(_ value: Int) -> [UInt8] { little16(value).reversed() }
    static func big32(_ value: Int) -> [UInt8] { little32(value).reversed() }

    static func bmp(width: Int32, height: Int32, bits: Int, compression: Int = 0) -> [UInt8] {
        Array("BM".utf8) + little32(0) + little32(0) + little32(54) + little32(40) + little32(Int(width))
            + little32(Int(height)) + little16(1) + little16(bits) + little32(compression)
    }

    static func tga(kind: UInt8, bits: UInt8, idLength: UInt8 = 0, palette: UInt8 = 0) -> [UInt8] {
        [idLength, palette == 0 ? 0 : 1, kind] + little16(0) + little16(palette == 0 ? 0 : 256) + [palette]
            + little32(0) + little16(64) + little16(32) + [bits, 0]
    }

    static func tiff(little: Bool, at directory: Int) -> [UInt8] {
        func two(_ value: Int) -> [UInt8] { little ? little16(value) : big16(value) }
        func four(_ value: Int) -> [UInt8] { little ? little32(value) : big32(value) }
        func short(_ tag: Int, _ value: Int) -> [UInt8] { two(tag) + two(3) + four(1) + two(value) + two(0) }
        let entries = [
            two(256) + two(4) + four(1) + four(1000), short(257, 2), short(258, 8), short(262, 2), short(277, 3),
        ]
        let head = Array((little ? "II*\0" : "MM\0*").utf8) + four(directory)
        return head + [UInt8](repeating: 0x2A, count: directory - 8) + two(entries.count) + entries.joined() + four(0)
    }

    static func dds(code: String, flags: Int, bits: Int = 0, levels: Int = 1) -> [UInt8] {
        var bytes = Array("DDS ".utf8) + little32(124) + little32(0x1007) + little32(8) + little32(16)
        bytes += little32(0) + little32(0) + little32(levels)
        bytes += [UInt8](repeating: 0, count: 76 - bytes.count)
        bytes += little32(32) + little32(flags) + Array(code.utf8) + little32(bits)
        return bytes + [UInt8](repeating: 0, count: 128 - bytes.count)
    }

    static func ktx(internalFormat: Int, base: Int) -> [UInt8] {
        var bytes: [UInt8] = [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x31, 0x31, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]
        for number in [0x0403_0201, 0, 1, 0, internalFormat, base, 100, 50, 0, 0, 1, 1, 12] {
            bytes += little32(number)
        }
        return bytes
    }

    static func ktx2(vulkan: Int) -> [UInt8] {
        var bytes: [UInt8] = [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x32, 0x30, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]
        for number in [vulkan, 1, 100, 50, 0, 0, 1, 1, 0] { bytes += little32(number) }
        bytes += [UInt8](repeating: 0, count: 80 - bytes.count)
        return bytes + little32(1000) + little32(0) + little32(4000) + little32(0) + little32(4000) + little32(0)
    }

    static func webp(_ chunk: String, _ body: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little32(1000) + Array("WEBP".utf8) + Array(chunk.utf8) + little32(980) + body
    }

    static func psd(channels: Int, depth: Int) -> [UInt8] {
        Array("8BPS\0\u{1}".utf8) + [0, 0, 0, 0, 0, 0] + big16(channels) + big32(40) + big32(80) + big16(depth)
            + big16(3)
    }
}
