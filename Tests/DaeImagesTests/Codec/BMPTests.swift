import DaeDiagnostics
import DaeImages
import Testing

@Suite struct BMPTests {
    private func picture(_ sample: SampleBMP) throws -> Picture {
        let image = try ImageCodec.png(from: sample.file, fileName: "a.bmp")
        #expect(image.completeness == .whole)
        return try Picture(png: image.bytes)
    }

    /// Two rows of three pixels, padded to 12 bytes each.
    private let rows: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0, 0, 0]
    /// Black, red, green, blue, with a fourth byte that means nothing.
    private let four: [UInt8] = [0, 0, 0, 9, 0, 0, 255, 9, 0, 255, 0, 9, 255, 0, 0, 9]
    private let colours: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]]

    private func indices(_ picture: Picture, row: Int) -> [Int?] {
        (0..<picture.width).map { colours.firstIndex(of: picture[$0, row]) }
    }

    @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124]) func everyHeaderIsRead(size: Int) throws {
        let picture = try picture(SampleBMP(size: size, body: rows))
        let top: [UInt8] = [13, 12, 11, 16, 15, 14, 19, 18, 17]
        #expect(picture == Picture(width: 3, height: 2, channels: 3, bytes: top + [3, 2, 1, 6, 5, 4, 9, 8, 7]))
    }

    @Test func aNegativeHeightPutsTheFirstRowOnTop() throws {
        #expect(try picture(SampleBMP(height: -2, body: rows))[0, 0] == [3, 2, 1])
    }

    @Test(arguments: [
        (1, [0b0100_0000, 0, 0, 0], [0, 1, 0]), (2, [0b00_01_10_00, 0, 0, 0], [0, 1, 2]),
        (4, [0x01, 0x30, 0, 0], [0, 1, 3]), (8, [3, 2, 1, 0], [3, 2, 1]),
    ])
    func indicesStandFromTheHighestBitOn(bits: Int, row: [UInt8], seen: [Int]) throws {
        let palette = bits == 1 ? Array(four.prefix(8)) : four
        let picture = try picture(SampleBMP(height: 1, bits: bits, palette: palette, body: row))
        #expect(indices(picture, row: 0) == seen)
    }

    @Test func anIndexWithoutAColourIsBlack() throws {
        let picture = try picture(SampleBMP(height: 1, bits: 8, palette: four, body: [1, 4, 255, 0]))
        #expect(indices(picture, row: 0) == [1, 0, 0])
    }

    @Test func theOldestHeaderHasColoursOfThreeBytes() throws {
        let palette: [UInt8] = [0, 0, 0, 0, 0, 255]
        let picture = try picture(
            SampleBMP(height: 1, bits: 1, size: 12, palette: palette, body: [0b0110_0000, 0, 0, 0]))
        #expect(indices(picture, row: 0) == [0, 1, 1])
    }

    @Test func sixteenBitsAreFiveEachUnlessMasksSayOtherwise() throws {
        let body: [UInt8] = [0x01, 0x7E, 0, 0]
        #expect(try picture(SampleBMP(width: 1, height: 1, bits: 16, body: body)).bytes == [255, 132, 8])
        let masked = SampleBMP(
            width: 1, height: 1, bits: 16, packing: 3, masks: [0xF800, 0x7E0, 0x1F], body: body)
        // Red 15 of 31, green 48 of 63, blue 1 of 31.
        #expect(try picture(masked).bytes == [123, 194, 8])
    }

    @Test(arguments: [(56, 3), (108, 3), (124, 3), (40, 6)])
    func alphaIsWhatItsMaskSays(size: Int, packing: Int) throws {
        let body: [UInt8] = (0...255).flatMap { [10, 20, 30, UInt8($0)] }
        var sample = SampleBMP(
            width: 256, height: 1, bits: 32, packing: packing, size: size,
            masks: [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000], body: body)
        let with = try picture(sample)
        #expect((0...255).map { with[$0, 0] } == (0...255).map { [30, 20, 10, UInt8($0)] })
        sample.masks[3] = 0
        #expect(try picture(sample)[77, 0] == [30, 20, 10])
        (sample.packing, sample.masks, sample.size) = (0, [], 40)
        #expect(try picture(sample)[77, 0] == [30, 20, 10])
    }

    @Test func masksMayBeOfAnyWidthButNotTorn() throws {
        var sample = SampleBMP(
            width: 1, height: 1, bits: 32, packing: 3, masks: [0x3FF0_0000, 0xF_FC00, 0x3FF],
            body: [0xFF, 0x03, 0, 0x20])
        #expect(try picture(sample).bytes == [128, 0, 255])
        sample.masks[0] = 0xF0F0_0000
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: sample.file, fileName: "a.bmp")
        }
        #expect(error?.code == .imageUnsupportedFormat)
    }

    @Test func runsOfEightBits() throws {
        // Three of red; at the row's end; a literal of three, padded; the end.
        let body: [UInt8] = [3, 1, 0, 0, 0, 3, 3, 2, 1, 0, 0, 1]
        let picture = try picture(SampleBMP(bits: 8, packing: 1, palette: four, body: body))
        #expect(indices(picture, row: 1) == [1, 1, 1])
        #expect(indices(picture, row: 0) == [3, 2, 1])
    }

    @Test func runsOfFourBits() throws {
        let body: [UInt8] = [5, 0x12, 0, 0, 0, 5, 0x32, 0x13, 0x20, 0, 0, 1]
        let picture = try picture(SampleBMP(width: 5, bits: 4, packing: 2, palette: four, body: body))
        #expect(indices(picture, row: 1) == [1, 2, 1, 2, 1])
        #expect(indices(picture, row: 0) == [3, 2, 1, 3, 2])
    }

    @Test func aJumpLeavesTheFirstColour() throws {
        let palette = Array(four.suffix(4)) + four.dropFirst(4)
        let body: [UInt8] = [1, 1, 0, 2, 1, 1, 1, 2, 0, 1]
        let picture = try picture(SampleBMP(bits: 8, packing: 1, palette: palette, body: body))
        #expect(indices(picture, row: 1) == [1, 3, 3])
        #expect(indices(picture, row: 0) == [3, 3, 2])
    }

    @Test func aRunThatLeavesItsRowIsCutAtItsEnd() throws {
        let body: [UInt8] = [200, 1, 0, 0, 1, 2, 0, 1]
        let picture = try picture(SampleBMP(bits: 8, packing: 1, palette: four, body: body))
        #expect(indices(picture, row: 1) == [1, 1, 1])
        #expect(indices(picture, row: 0) == [2, 0, 0])
    }

    @Test(arguments: [(4, 40), (5, 40), (3, 64), (4, 64), (7, 40)])
    func kindsThatAreNotReadAreRefused(packing: Int, size: Int) {
        let sample = SampleBMP(packing: packing, size: size, body: rows)
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: sample.file, fileName: "a.bmp")
        }
        #expect(error?.code == .imageUnsupportedFormat)
    }

    @Test func ofAFileThatIsCutTheRestIsBlack() throws {
        let plain = try ImageCodec.png(from: SampleBMP(body: rows).file.dropLast(8), fileName: "a.bmp")
        #expect(plain.completeness == .cut)
        let picture = try Picture(png: plain.bytes)
        #expect(picture[0, 1] == [3, 2, 1] && picture[0, 0] == [13, 12, 11] && picture[2, 0] == [0, 0, 0])
        let packed = SampleBMP(bits: 8, packing: 1, palette: four, body: [3, 1, 0, 0]).file
        #expect(try ImageCodec.png(from: packed, fileName: "a.bmp").completeness == .cut)
        #expect(throws: CodedFailure.self) { try ImageCodec.png(from: packed.dropLast(4), fileName: "a.bmp") }
    }
}

extension ImageCodec {
    static func png(from bytes: ArraySlice<UInt8>, fileName: String) throws -> PNGImage {
        try png(from: Array(bytes), fileName: fileName)
    }
}
