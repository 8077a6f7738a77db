import DaeImages
import Testing

/// What is written is read again, with the pixels that went in, or nearly.
@Suite struct ImageEncoderTests {
    private static func decoded(_ bytes: [UInt8]) throws -> DecodedImage {
        try DecodedImage(bytes, header: try #require(ImageProbe.probe(bytes).header))
    }

    private static func image(width: Int, height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> DecodedImage {
        var rgba: [UInt8] = []
        for y in 0..<height { for x in 0..<width { rgba += pixel(x, y) } }
        return try decoded(PNGImage(width: width, height: height, rgba: rgba).bytes)
    }

    private static func greatestDifference(_ one: [UInt8], _ other: [UInt8]) -> Int {
        zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test(arguments: [(ImageEncoder.Kind.png, ImageFormat.png, 0), (.jpeg, .jpeg, 12), (.webp, .webp, 12)])
    func aSmoothPictureIsReadAgain(_ kind: ImageEncoder.Kind, _ format: ImageFormat, most: Int) throws {
        let image = try Self.image(width: 40, height: 24) { x, y in [UInt8(x * 6), UInt8(y * 10), 128, 255] }
        let file = try ImageEncoder.file(of: image, kind)
        #expect(ImageProbe.probe(file).header?.format == format)
        let again = try Self.decoded(file)
        #expect(again.width == 40 && again.height == 24 && !again.hasAlpha)
        #expect(Self.greatestDifference(again.rgba, image.rgba) <= most)
    }

    /// A material may pass alpha over: the colours behind it are there.
    @Test func whatIsClearKeepsItsColours() throws {
        let image = try Self.image(width: 32, height: 32) { x, _ in x < 16 ? [200, 40, 40, 0] : [40, 40, 200, 255] }
        let again = try Self.decoded(try ImageEncoder.file(of: image, .webp))
        #expect(again.hasAlpha)
        // Away from the edge, over which colours run.
        for x in [4, 27] {
            let place = (16 * 32 + x) * 4
            #expect(
                Self.greatestDifference(Array(again.rgba[place..<place + 4]), Array(image.rgba[place..<place + 4]))
                    <= 12)
        }
    }

    @Test(arguments: [ImageEncoder.Kind.jpeg, .webp]) func greyPicturesAreReadAgain(_ kind: ImageEncoder.Kind) throws {
        let grey = try Self.image(width: 16, height: 16) { x, y in
            [UInt8(x * 8 + y), UInt8(x * 8 + y), UInt8(x * 8 + y), 255]
        }
        let again = try Self.decoded(try ImageEncoder.file(of: grey, kind))
        #expect(Self.greatestDifference(again.rgba, grey.rgba) <= 12)
    }

    @Test func anImageTooWideForWebPIsRefused() throws {
        let wide = try Self.image(width: 16_384, height: 1) { _, _ in [1, 2, 3, 255] }
        #expect(throws: (any Error).self) { try ImageEncoder.file(of: wide, .webp) }
    }

    @Test func aSmallerPictureIsTheMeanOfWhatItCovers() throws {
        let image = try Self.image(width: 6, height: 4) { x, y in [UInt8(x * 10), UInt8(y * 10), 7, 255] }
        let small = image.reduced(to: 3)
        #expect(small.width == 3 && small.height == 2)
        #expect(
            small.rgba == [5, 5, 7, 255, 25, 5, 7, 255, 45, 5, 7, 255, 5, 25, 7, 255, 25, 25, 7, 255, 45, 25, 7, 255])
        #expect(image.reduced(to: 6).rgba == image.rgba && image.reduced(to: 100).width == 6)
        let least = image.reduced(to: 1)
        #expect(least.width == 1 && least.height == 1 && Array(least.rgba) == [25, 15, 7, 255])
    }

    @Test func sidesThatDoNotDivideCountInPart() throws {
        let image = try Self.image(width: 3, height: 1) { x, _ in [[0, 90, 180][x], 0, 0, 255] }
        // One and a half pixels each.
        #expect(image.reduced(to: 2).rgba == [30, 0, 0, 255, 150, 0, 0, 255])
    }

    @Test func coloursCountByTheirAlpha() throws {
        let image = try Self.image(width: 2, height: 1) { x, _ in x == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        #expect(image.reduced(to: 1).rgba == [255, 0, 0, 128])
        let clear = try Self.image(width: 4, height: 1) { x, _ in [UInt8(x < 2 ? 100 : 50), 0, 0, x < 2 ? 0 : 200] }
        #expect(clear.reduced(to: 2).rgba == [100, 0, 0, 0, 50, 0, 0, 200])
    }
}
