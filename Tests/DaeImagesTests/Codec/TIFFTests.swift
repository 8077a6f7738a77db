import DaeDiagnostics
import DaeImages
import Testing

@Suite struct TIFFTests {
    private func picture(_ sample: SampleTIFF) throws -> Picture {
        let image = try ImageCodec.png(from: sample.file, fileName: "a.tif")
        #expect(image.completeness == .whole)
        return try Picture(png: image.bytes)
    }

    @Test(arguments: [true, false]) func coloursInEitherByteOrder(isLittle: Bool) throws {
        let body: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        #expect(
            try picture(SampleTIFF(isLittle: isLittle, body: body))
                == Picture(width: 2, height: 2, channels: 3, bytes: body))
    }

    @Test func everyValueOfAlphaIsKeptAndColoursUnderItToo() throws {
        let body: [UInt8] = (0...255).flatMap { [255, 128, UInt8($0), UInt8($0)] }
        let picture = try picture(
            SampleTIFF(width: 256, height: 1, bits: [8, 8, 8, 8], extra: 2, body: body))
        #expect(picture == Picture(width: 256, height: 1, channels: 4, bytes: body))
    }

    @Test func coloursMultipliedByAlphaAreDivided() throws {
        let sample = SampleTIFF(width: 1, height: 1, bits: [8, 8, 8, 8], extra: 1, body: [50, 25, 0, 100])
        #expect(try picture(sample).bytes == [127, 63, 0, 100])
    }

    @Test(arguments: [nil, 0]) func aFourthSampleOfWhichNothingIsSaidIsAlphaUnlessItIsZero(extra: Int?) throws {
        var sample = SampleTIFF(width: 2, height: 1, bits: [8, 8, 8, 8], extra: extra)
        sample.body = [50, 25, 0, 100, 1, 2, 3, 0]
        #expect(try picture(sample).bytes == sample.body)
        sample.body[3] = 0
        #expect(try picture(sample).bytes == [50, 25, 0, 1, 2, 3])
    }

    @Test func furtherSamplesOfWhichNothingIsSaidAreNoAlpha() throws {
        let sample = SampleTIFF(
            width: 1, height: 1, bits: [8, 8, 8, 8, 8], extras: [0, 0], body: [50, 25, 0, 100, 200])
        #expect(try picture(sample).bytes == [50, 25, 0])
    }

    @Test func greyStaysGrey() throws {
        let grey = SampleTIFF(bits: [8], photometric: 1, body: [0, 77, 200, 255])
        #expect(try picture(grey) == Picture(width: 2, height: 2, channels: 1, bytes: [0, 77, 200, 255]))
        var inverse = grey
        inverse.photometric = 0
        #expect(try picture(inverse).bytes == [255, 178, 55, 0])
        let alpha = SampleTIFF(width: 2, height: 1, bits: [8, 8], photometric: 1, extra: 2, body: [7, 8, 9, 10])
        #expect(try picture(alpha) == Picture(width: 2, height: 1, channels: 2, bytes: [7, 8, 9, 10]))
    }

    @Test func indicesBecomeColours() throws {
        var map = [Int](repeating: 0, count: 768)
        (map[3], map[256 + 3], map[512 + 3]) = (0xFFFF, 0x8080, 0x0101)
        let sample = SampleTIFF(width: 2, height: 1, bits: [8], photometric: 3, colourMap: map, body: [3, 0])
        #expect(try picture(sample).bytes == [255, 128, 1, 0, 0, 0])
    }

    @Test func runsArePackBits() throws {
        let sample = SampleTIFF(compression: 32_773, body: [0xFB, 9, 5, 1, 2, 3, 4, 5, 6])
        #expect(try picture(sample).bytes == [9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6])
    }

    @Test func deflatedPixels() throws {
        let body: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        // One stored block.
        let zlib: [UInt8] = [0x78, 1, 1, 12, 0, 0xF3, 0xFF] + body + [0x01, 0x78, 0x00, 0x4F]
        #expect(try picture(SampleTIFF(compression: 8, body: zlib)).bytes == body)
    }

    @Test(arguments: [6, 34_661, 34_887, 34_925, 50_000, 50_001, 999])
    func codecsThatMayNotRunAreRefused(compression: Int) {
        let sample = SampleTIFF(compression: compression, body: [UInt8](repeating: 0, count: 40))
        let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: sample.file, fileName: "a.tif") }
        #expect(error?.message == "the tiff image is not read: a TIFF of compression \(compression)")
    }

    @Test func damageIsTold() throws {
        var sample = SampleTIFF(compression: 32_773, body: [0xFB, 9])
        let image = try ImageCodec.png(from: sample.file, fileName: "a.tif")
        #expect(image.completeness.code == .imageDataInvalid)
        #expect(try Picture(png: image.bytes)[0, 0] == [9, 9, 9])
        sample.body = []
        let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: sample.file, fileName: "a.tif") }
        #expect(error?.code == .imageDataInvalid)
    }
}
