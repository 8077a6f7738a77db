import DaeDiagnostics
import DaeImages
import Testing

@Suite struct DDSTests {
    private func picture(_ sample: SampleDDS) throws -> Picture {
        let image = try ImageCodec.png(from: sample.file, fileName: "a.dds")
        #expect(image.completeness == .whole)
        return try Picture(png: image.bytes)
    }

    /// Red above black; each row of pixels has the four places on the line.
    private let fourColours: [UInt8] = [0x00, 0xF8, 0x00, 0x00, 0xE4, 0xE4, 0xE4, 0xE4]
    /// Black below red: three colours and a clear one.
    private let threeColours: [UInt8] = [0x00, 0x00, 0x00, 0xF8, 0xE4, 0xE4, 0xE4, 0xE4]

    @Test func blocksHaveFourColoursOrThree() throws {
        let four = try picture(SampleDDS(body: fourColours))
        #expect(four.channels == 3)
        #expect((0..<4).map { four[$0, 2] } == [[255, 0, 0], [0, 0, 0], [170, 0, 0], [85, 0, 0]])
        let three = try picture(SampleDDS(body: threeColours))
        #expect((0..<4).map { three[$0, 3] } == [[0, 0, 0, 255], [255, 0, 0, 255], [127, 0, 0, 255], [0, 0, 0, 0]])
    }

    @Test(arguments: [(1, 1), (5, 3), (7, 9), (4, 8)])
    func blocksReachBeyondTheEdges(width: Int, height: Int) throws {
        let count = (width + 3) / 4 * ((height + 3) / 4)
        let body: [UInt8] = (0..<count).flatMap { [UInt8($0), 0, 0, 0, 0, 0, 0, 0] }
        let picture = try picture(SampleDDS(width: width, height: height, body: body))
        for y in 0..<height {
            for x in 0..<width {
                let block = y / 4 * ((width + 3) / 4) + x / 4
                #expect(picture[x, y][2] == UInt8(block << 3 | block >> 2))
            }
        }
    }

    @Test func alphaOfFourBits() throws {
        let alpha: [UInt8] = [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]
        let picture = try picture(SampleDDS(code: "DXT3", body: alpha + fourColours))
        #expect((0..<16).map { picture[$0 % 4, $0 / 4][3] } == (0..<16).map { UInt8($0 * 17) })
        // Colours have four places on the line whatever their order.
        let other = try self.picture(SampleDDS(code: "DXT3", body: alpha + threeColours))
        #expect(other[3, 0] == [170, 0, 0, 51])
    }

    @Test func alphaOnALine() throws {
        // Places 0...7, then again.
        let places: [UInt8] = [0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA]
        let seven = try picture(SampleDDS(code: "DXT5", body: [210, 0] + places + fourColours))
        #expect((0..<8).map { seven[$0 % 4, $0 / 4][3] } == [210, 0, 180, 150, 120, 90, 60, 30])
        let five = try picture(SampleDDS(code: "DXT5", body: [0, 200] + places + fourColours))
        #expect((0..<8).map { five[$0 % 4, $0 / 4][3] } == [0, 200, 40, 80, 120, 160, 0, 255])
    }

    @Test func oneChannelIsGreyAndTwoAreADirection() throws {
        let places: [UInt8] = [0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA]
        for sample in [SampleDDS(code: "ATI1"), SampleDDS(code: "BC4U"), SampleDDS(dxgi: 80)] {
            var sample = sample
            sample.body = [210, 0] + places
            let picture = try picture(sample)
            #expect(picture.channels == 1)
            #expect(Array(picture.bytes.prefix(8)) == [210, 0, 180, 150, 120, 90, 60, 30])
        }
        for sample in [SampleDDS(code: "ATI2"), SampleDDS(code: "BC5U"), SampleDDS(dxgi: 83)] {
            var sample = sample
            sample.body = [210, 0] + places + [70, 70, 0, 0, 0, 0, 0, 0]
            let direction = try picture(sample)
            // 0.41 to the right and 0.45 down leave 0.79 towards the viewer.
            #expect(direction[2, 0] == [180, 70, 228])
            // Longer than 1 already: nothing is left.
            #expect(direction[1, 0] == [0, 70, 128])
        }
    }

    @Test(arguments: ["DXT2", "DXT4"]) func coloursMultipliedByAlphaAreDivided(code: String) throws {
        let alpha: [UInt8] = code == "DXT2" ? [UInt8](repeating: 0x88, count: 8) : [136, 136, 0, 0, 0, 0, 0, 0]
        let half: [UInt8] = [0x00, 0x78, 0, 0, 0, 0, 0, 0]
        // 15 of 31 is 123, and 123 of 136 is 230 of 255.
        #expect(try picture(SampleDDS(code: code, body: alpha + half))[0, 0] == [230, 0, 0, 136])
    }

    @Test func pixelsOfAnyMasks() throws {
        let pixels: [UInt8] = [1, 2, 3, 4]
        var sample = SampleDDS(
            width: 1, height: 1, flags: 0x41, bits: 32, masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000], body: pixels)
        sample.code = "\0\0\0\0"
        #expect(try picture(sample).bytes == [1, 2, 3, 4])
        sample.flags = 0x40
        #expect(try picture(sample).bytes == [1, 2, 3])
        (sample.bits, sample.masks) = (16, [0xF800, 0x7E0, 0x1F, 0])
        #expect(try picture(sample).bytes == [0, 65, 8])
        (sample.flags, sample.masks) = (0x2_0001, [0xFF, 0, 0, 0xFF00])
        #expect(try picture(sample).bytes == [1, 2])
        (sample.flags, sample.bits, sample.masks) = (2, 8, [0, 0, 0, 0xFF])
        #expect(try picture(sample).bytes == [0, 0, 0, 1])
    }

    @Test(arguments: [
        (24, [0x80, 0x00]), (28, [1, 2, 3, 4]), (49, [1, 2, 0]), (61, [1]), (65, [0, 0, 0, 1]), (85, [0, 65, 8]),
        (86, [0, 132, 8, 0]), (87, [3, 2, 1, 4]), (88, [3, 2, 1]), (115, [34, 0, 17, 0]),
    ])
    func pixelsByTheirNumber(dxgi: Int, seen: [UInt8]) throws {
        var sample = SampleDDS(width: 1, height: 1, dxgi: dxgi, body: [1, 2, 3, 4])
        if dxgi == 24 {
            sample.body = [0x00, 0x02, 0x00, 0x40]
            #expect(try picture(sample).bytes == [128, 0, 0, 85])
        } else {
            #expect(try picture(sample).bytes == seen)
        }
    }

    @Test func theHeaderMaySayWhatAlphaMeans() throws {
        var sample = SampleDDS(width: 1, height: 1, dxgi: 28, body: [50, 25, 0, 100])
        #expect(try picture(sample).bytes == [50, 25, 0, 100])
        sample.alphaMode = 2
        #expect(try picture(sample).bytes == [127, 63, 0, 100])
        sample.alphaMode = 3
        #expect(try picture(sample).bytes == [50, 25, 0])
    }

    @Test(arguments: [("BC7", 98), ("BC6H", 95), ("DXGI's format 10", 10)])
    func kindsThatAreNotReadAreRefusedByName(name: String, dxgi: Int) {
        let sample = SampleDDS(dxgi: dxgi, body: [UInt8](repeating: 0, count: 64))
        let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: sample.file, fileName: "a.dds") }
        #expect(error?.code == .imageUnsupportedFormat && error?.message.contains(name) == true)
    }

    @Test func ofAFileThatIsCutTheRestIsClear() throws {
        let sample = SampleDDS(width: 8, height: 4, body: fourColours + fourColours)
        let image = try ImageCodec.png(from: sample.file.dropLast(1), fileName: "a.dds")
        #expect(image.completeness == .cut)
        let picture = try Picture(png: image.bytes)
        #expect(picture[0, 0] == [255, 0, 0, 255] && picture[4, 0] == [0, 0, 0, 0])
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: sample.file.prefix(130), fileName: "a.dds")
        }
        #expect(error?.code == .imageTruncated)
    }
}
