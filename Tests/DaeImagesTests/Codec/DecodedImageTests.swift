import DaeDiagnostics
import DaeImages
import TestSupport
import Testing

/// Pixels of images that engines load as they are, to be looked at and put together.
@Suite struct DecodedImageTests {
    private static func decoded(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws -> DecodedImage {
        try DecodedImage(bytes, header: try #require(ImageProbe.probe(bytes).header), limits: limits)
    }

    private static func merged(
        _ colors: DecodedImage?, _ opacity: DecodedImage, _ alpha: (SIMD4<Double>) -> Double
    ) throws -> Picture {
        let made = try #require(try DecodedImage.merged(colors: colors, opacity: opacity, alpha))
        return try Picture(png: ImageEncoder.file(of: made, .png))
    }

    /// Red, green, blue and alpha of each pixel.
    private static func pixels(_ bytes: [UInt8]) throws -> [[UInt8]] {
        let image = try decoded(bytes)
        let picture = try Self.merged(image, image) { $0.w }
        return stride(from: 0, to: picture.bytes.count, by: 4).map { Array(picture.bytes[$0..<$0 + 4]) }
    }

    private static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    private static let ending: [UInt8] = [0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130]

    /// 3 × 6 colours, each row by another filter.
    private static let filtered: [UInt8] =
        signature + [
            0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 3, 0, 0, 0, 6, 8, 2, 0, 0, 0, 137, 135, 179, 91, 0, 0, 0, 48, 73, 68,
            65, 84, 120, 218, 99, 96, 48, 74, 81, 13, 239, 244, 170, 89, 199, 200, 109, 155, 175, 10, 6, 76, 220, 48,
            192,
            44, 166, 239, 33, 1, 6, 44, 112, 49, 6, 243, 204, 217, 49, 125, 7, 26, 55, 63, 5, 0, 50, 135, 11, 144, 129,
            160, 43, 150,
        ] + ending

    @Test func everyFilterOfAPNGIsRead() throws {
        var expected: [[UInt8]] = []
        for y in 0..<6 {
            for x in 0..<3 {
                let red = x * 37 + y * 11
                expected.append([UInt8(red & 255), UInt8((red + 50) & 255), UInt8((red + 100) & 255), 255])
            }
        }
        #expect(try Self.pixels(Self.filtered) == expected)
        #expect(try !Self.decoded(Self.filtered).isGrey)
    }

    @Test func aPNGOfSevenPassesIsRead() throws {
        let file: [UInt8] =
            Self.signature + [
                0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 5, 0, 0, 0, 5, 8, 0, 0, 0, 1, 223, 3, 73, 175, 0, 0, 0, 44, 73,
                68,
                65, 84, 120, 218, 99, 96, 96, 96, 97, 208, 208, 97, 96, 98, 208, 98, 16, 17, 147, 96, 96, 100, 102, 16,
                21, 103, 208, 212, 102, 224, 226, 230, 225, 229, 99, 144, 147, 87, 80, 84, 2, 0, 32, 133, 2, 39, 196,
                135,
                177, 7,
            ] + Self.ending
        var expected: [[UInt8]] = []
        for y in 0..<5 {
            for x in 0..<5 { expected.append([UInt8](repeating: UInt8(10 * y + x), count: 3) + [255]) }
        }
        #expect(try Self.pixels(file) == expected)
        #expect(try Self.decoded(file).isGrey)
    }

    @Test func palettesFewBitsAndManyAreRead() throws {
        let palette: [UInt8] =
            Self.signature + [
                0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 0, 0, 0, 107, 144, 140, 96, 0, 0, 0, 12, 80,
                76,
                84, 69, 255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 92, 113, 126, 134, 0, 0, 0, 2, 116, 82, 78, 83, 0,
                128,
                155, 43, 78, 24, 0, 0, 0, 11, 73, 68, 65, 84, 120, 218, 99, 144, 102, 0, 0, 0, 57, 0, 28, 253, 72, 96,
                107,
            ] + Self.ending
        #expect(
            try Self.pixels(palette) == [
                [255, 0, 0, 0], [0, 255, 0, 128], [0, 0, 255, 255], [9, 9, 9, 255], [255, 0, 0, 0],
            ])
        let bits: [UInt8] =
            Self.signature + [
                0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 3, 0, 0, 0, 1, 1, 0, 0, 0, 0, 51, 155, 41, 25, 0, 0, 0, 2, 116,
                82,
                78, 83, 0, 0, 118, 147, 205, 56, 0, 0, 0, 10, 73, 68, 65, 84, 120, 218, 99, 88, 0, 0, 0, 162, 0, 161,
                113,
                5, 203, 65,
            ] + Self.ending
        #expect(try Self.pixels(bits) == [[255, 255, 255, 255], [0, 0, 0, 0], [255, 255, 255, 255]])
        let deep: [UInt8] =
            Self.signature + [
                0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 16, 6, 0, 0, 0, 79, 133, 24, 202, 0, 0, 0, 17, 73,
                68,
                65, 84, 120, 218, 99, 16, 50, 9, 171, 152, 181, 231, 222, 7, 0, 13, 169, 4, 57, 46, 239, 86, 164,
            ] + Self.ending
        #expect(try Self.pixels(deep) == [[0x12, 0x56, 0x9A, 0xDE]])
    }

    @Test func aJPEGIsRead() throws {
        let image = try Self.decoded(Repository.fixture("images/stripes.jpg"))
        #expect(image.width == 64 && image.height == 64 && !image.isGrey)
    }

    /// A file that ends early gives no picture, or one that says it lacks something and has the pixels of the whole one
    /// as far as it goes.
    @Test func aPNGThatIsCutIsRefusedOrSaysSo() throws {
        let whole = try Self.pixels(Self.filtered)
        var outcomes: Set<String> = []
        for count in 0..<Self.filtered.count {
            let cut = Array(Self.filtered.prefix(count))
            guard let header = ImageProbe.probe(cut, fileName: "a.png").header else {
                outcomes.insert("no image")
                continue
            }
            guard let image = try? DecodedImage(cut, header: header) else {
                outcomes.insert("refused")
                continue
            }
            #expect(image.width == 3 && image.height == 6)
            let bytes = try Self.merged(image, image) { $0.w }.bytes
            let pixels = stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
            let rows = (0..<6).prefix { pixels[3 * $0..<3 * $0 + 3] == whole[3 * $0..<3 * $0 + 3] }.count
            #expect(image.isWhole == (rows == 6), "\(count) bytes")
            #expect(pixels[(3 * rows)...].allSatisfy { $0.prefix(3).allSatisfy { $0 == 0 } }, "\(count) bytes")
            outcomes.insert(image.isWhole ? "whole" : "cut")
        }
        #expect(outcomes == ["no image", "refused", "cut", "whole"])
    }

    /// Whatever byte is another, the picture is refused or has the size that its header gives.
    @Test func aPNGWithAChangedByteIsRefusedOrHasItsSize() throws {
        var refused = 0
        for place in Self.filtered.indices {
            var changed = Self.filtered
            changed[place] ^= 0x55
            guard let header = ImageProbe.probe(changed, fileName: "a.png").header,
                let image = try? DecodedImage(changed, header: header)
            else {
                refused += 1
                continue
            }
            #expect(image.width == header.width && image.height == header.height, "byte \(place)")
        }
        #expect(refused > 0 && refused < Self.filtered.count)
        #expect(throws: CodedFailure.self) { try Self.decoded(Self.filtered, limits: ImageLimits(bytes: 53)) }
    }

    @Test func workIsStoppedBetweenRows() throws {
        let image = try Self.decoded(Self.filtered)
        var asked = 0
        let made = try DecodedImage.merged(
            colors: image, opacity: image,
            isCancelled: {
                asked += 1
                return asked > 2
            }, { $0.w })
        #expect((made == nil) && asked == 3)
    }

    @Test func whatMayHaveAnAlphaSaysSo() throws {
        func mayHave(_ bytes: [UInt8]) throws -> Bool {
            ImageCodec.mayHaveAlpha(bytes, header: try #require(ImageProbe.probe(bytes).header))
        }
        #expect(try !mayHave(Self.filtered))
        // A clear colour of its own, before the pixels.
        let header = Self.signature.count + 25
        let clear = Self.filtered[..<header] + [0, 0, 0, 6, 116, 82, 78, 83, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
        #expect(try mayHave(Array(clear + Self.filtered[header...])))
        #expect(try !mayHave(Repository.fixture("images/stripes.jpg")))
    }

    // MARK: - Two in one

    /// A PNG of one row of greys.
    private static func row(_ values: [UInt8]) throws -> [UInt8] {
        let body = SampleTGA(type: 3, width: values.count, height: 1, bits: 8, body: values).file
        return try ImageCodec.png(from: body, fileName: "a.tga").bytes
    }

    @Test func anOpacityIsPutIntoThePictureOfColours() throws {
        let mask = try Self.decoded(Self.row([0, 51, 255]))
        let plain = try Self.merged(nil, mask) { 1 - $0.x }
        #expect(plain.bytes == [255, 255, 255, 255, 255, 255, 255, 204, 255, 255, 255, 0])
        let colors = try Self.decoded(Self.row([10, 20, 30]))
        let merged = try Self.merged(colors, mask) { $0.x }
        #expect(merged.bytes == [10, 10, 10, 0, 20, 20, 20, 51, 30, 30, 30, 255])
    }

    @Test func theSmallerPictureIsStretched() throws {
        let colors = try Self.decoded(Self.row([100, 100]))
        let mask = try Self.decoded(Self.row([0, 0, 255, 255]))
        let merged = try Self.merged(colors, mask) { $0.x }
        #expect(merged.width == 4 && merged.height == 1)
        #expect(merged.bytes == [100, 100, 100, 0, 100, 100, 100, 0, 100, 100, 100, 255, 100, 100, 100, 255])
    }
}
