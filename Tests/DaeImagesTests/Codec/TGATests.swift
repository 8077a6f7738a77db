import DaeDiagnostics
import DaeImages
import Testing

@Suite struct TGATests {
    private func picture(_ sample: SampleTGA) throws -> Picture { try picture(sample.file) }

    private func picture(_ file: [UInt8]) throws -> Picture {
        let image = try ImageCodec.png(from: file, fileName: "a.tga")
        #expect(image.completeness == .whole)
        return try Picture(png: image.bytes)
    }

    /// Blue, green, red of six pixels.
    private let colours: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19]

    @Test func twentyFourBitsAreBlueGreenRed() throws {
        let picture = try self.picture(SampleTGA(note: [9, 9], body: colours))
        #expect(
            picture
                == Picture(
                    width: 3, height: 2, channels: 3,
                    bytes: [3, 2, 1, 6, 5, 4, 9, 8, 7, 13, 12, 11, 16, 15, 14, 19, 18, 17]))
    }

    @Test(arguments: [0x00, 0x10, 0x20, 0x30] as [UInt8])
    func theFirstPixelMayStandInAnyCorner(origin: UInt8) throws {
        let picture = try self.picture(SampleTGA(descriptor: origin, body: colours))
        let (x, y) = (origin & 0x10 == 0 ? 0 : 2, origin & 0x20 == 0 ? 1 : 0)
        #expect(picture[x, y] == [3, 2, 1])
        #expect(picture[2 - x, y] == [9, 8, 7])
        #expect(picture[x, 1 - y] == [13, 12, 11])
    }

    @Test func thereIsAlphaWhereTheDescriptorCountsItsBits() throws {
        let body: [UInt8] = (0..<6).flatMap { [1, 2, 3, $0 * 40] }
        let with = try picture(SampleTGA(bits: 32, descriptor: 0x28, body: body))
        #expect(with.channels == 4)
        #expect((0..<6).map { with[$0 % 3, $0 / 3] } == (0..<6).map { [3, 2, 1, UInt8($0 * 40)] })
        let without = try picture(SampleTGA(bits: 32, descriptor: 0x20, body: body))
        #expect(without.channels == 3)
        #expect(without[1, 1] == [3, 2, 1])
    }

    @Test func everyValueOfAlphaIsKept() throws {
        let body: [UInt8] = (0...255).flatMap { [0, 128, 255, UInt8($0)] }
        let picture = try self.picture(SampleTGA(width: 256, height: 1, bits: 32, descriptor: 0x28, body: body))
        #expect((0...255).map { picture[$0, 0][3] } == (0...255).map { UInt8($0) })
        #expect((0...255).allSatisfy { Array(picture[$0, 0].prefix(3)) == [255, 128, 0] })
    }

    @Test func fiveBitsBecomeEightAndTheSixteenthIsAlpha() throws {
        // Red 31, green 16, blue 1.
        let pixel: [UInt8] = [0x01, 0x7E]
        let body = pixel + [0x01, 0xFE] + pixel + pixel + pixel + pixel
        let fifteen = try picture(SampleTGA(bits: 15, body: body))
        #expect(fifteen.channels == 3)
        #expect(fifteen[0, 0] == [255, 132, 8])
        let sixteen = try picture(SampleTGA(bits: 16, descriptor: 0x21, body: body))
        #expect(sixteen[0, 0] == [255, 132, 8, 0])
        #expect(sixteen[1, 0] == [255, 132, 8, 255])
        #expect(try picture(SampleTGA(bits: 16, body: body)).channels == 3)
    }

    @Test func greyIsOneChannelOrTwo() throws {
        let grey = try picture(SampleTGA(type: 3, bits: 8, body: [0, 50, 100, 150, 200, 250]))
        #expect(grey == Picture(width: 3, height: 2, channels: 1, bytes: [0, 50, 100, 150, 200, 250]))
        let body: [UInt8] = [0, 1, 50, 2, 100, 3, 150, 4, 200, 5, 250, 6]
        #expect(try picture(SampleTGA(type: 3, bits: 16, descriptor: 0x28, body: body)).bytes == body)
        #expect(try picture(SampleTGA(type: 3, bits: 16, body: body)).bytes == [0, 50, 100, 150, 200, 250])
    }

    @Test func coloursOfAMapCountFromItsFirst() throws {
        let map: [UInt8] = [1, 2, 3, 4, 5, 6]
        let sample = SampleTGA(type: 1, bits: 8, mapBits: 24, mapFirst: 5, map: map, body: [5, 6, 5, 4, 7, 6])
        let picture = try self.picture(sample)
        #expect(picture.bytes == [3, 2, 1, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 6, 5, 4])
    }

    @Test(arguments: [(15, 0x00, [255, 132, 8]), (16, 0x01, [255, 132, 8, 0]), (32, 0x08, [3, 2, 1, 77])])
    func mapsHaveColoursOfAnyDepth(bits: Int, alpha: Int, pixel: [Int]) throws {
        let map: [UInt8] = bits == 32 ? [1, 2, 3, 77] : [0x01, 0x7E]
        let sample = SampleTGA(
            type: 1, width: 1, height: 1, bits: 16, descriptor: 0x20 | UInt8(alpha), mapBits: UInt8(bits), map: map,
            body: [0, 0])
        #expect(try picture(sample)[0, 0] == pixel.map { UInt8($0) })
    }

    @Test(arguments: [(2, 24), (2, 16), (2, 32), (3, 8), (3, 16), (1, 8)])
    func packetsGiveTheSamePixels(type: Int, bits: Int) throws {
        let size = (bits + 7) / 8
        let pixels: [UInt8] = [1, 1, 1, 2, 3, 3, 0, 0, 1, 2, 3, 0, 1, 1, 1, 1, 1, 1, 1, 1]
        let body: [UInt8] = pixels.flatMap { [UInt8](repeating: $0 &* 61, count: size) }
        let map: [UInt8] = (0...255).flatMap { [UInt8($0), UInt8(255 - $0), 7] }
        var sample = SampleTGA(
            type: UInt8(type), width: 5, height: 4, bits: UInt8(bits), descriptor: 0x08,
            mapBits: type == 1 ? 24 : 0, map: type == 1 ? map : [], body: body)
        let plain = try picture(sample)
        sample.type |= 8
        for longest in [2, 7, 128] {
            sample.body = SampleTGA.packed(body, pixelBytes: size, longest: longest)
            #expect(try picture(sample) == plain)
        }
    }

    @Test func coloursMultipliedByAlphaAreDivided() throws {
        let body: [UInt8] = [50, 25, 0, 100]
        var file = SampleTGA(width: 1, height: 1, bits: 32, descriptor: 0x28, body: body).file
        let start = file.count
        var area = [UInt8](repeating: 0, count: 495)
        (area[0], area[1], area[494]) = (0xEF, 1, 4)
        file += area + [UInt8(start), 0, 0, 0, 0, 0, 0, 0] + Array("TRUEVISION-XFILE.\0".utf8)
        #expect(try picture(file)[0, 0] == [0, 63, 127, 100])
    }

    @Test func ofAFileThatIsCutTheRestIsBlack() throws {
        let file = SampleTGA(body: colours).file
        let image = try ImageCodec.png(from: Array(file.dropLast(4)), fileName: "a.tga")
        #expect(image.completeness == .cut && image.completeness.code == .imageTruncated)
        let picture = try Picture(png: image.bytes)
        #expect(picture[0, 1] == [13, 12, 11])
        #expect(picture[1, 1] == [0, 0, 0])
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: Array(file.prefix(20)), fileName: "a.tga")
        }
        #expect(error?.code == .imageTruncated)
    }
}
