import DaeDiagnostics
import DaeImages
import TestSupport
import Testing

/// Pixels of JPEGs.
@Suite struct JPEGTests {
    private static func decoded(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws -> DecodedImage {
        try DecodedImage(bytes, header: try #require(ImageProbe.probe(bytes).header), limits: limits)
    }

    /// Red, green, blue and alpha.
    private static func pixel(_ image: DecodedImage, _ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * image.width + x) * 4
        return Array(image.rgba[start..<start + 4])
    }

    private static func isNear(_ one: [UInt8], _ other: [UInt8], by distance: Int) -> Bool {
        zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= distance }
    }

    @Test func inksBecomeColours() throws {
        let image = try Self.decoded(Repository.fixture("images/inks.jpg"))
        #expect(image.isWhole && image.width == 16 && image.height == 16)
        #expect(Self.isNear(Self.pixel(image, 4, 4), [0, 255, 255, 255], by: 2))
        #expect(Self.isNear(Self.pixel(image, 12, 4), [255, 0, 255, 255], by: 2))
        #expect(Self.isNear(Self.pixel(image, 4, 12), [255, 255, 0, 255], by: 2))
        #expect(Self.isNear(Self.pixel(image, 12, 12), [127, 127, 127, 255], by: 2))
    }

    @Test func oneOfSeveralPassesIsRead() throws {
        let image = try Self.decoded(Repository.fixture("images/progressive.jpg"))
        #expect(image.isWhole && image.width == 40 && image.height == 40)
        for (x, y) in [(5, 5), (20, 30), (30, 8)] {
            let expected = [UInt8(x * 6), UInt8(y * 6), UInt8((x * x / 8 + y) % 256), 255]
            #expect(Self.isNear(Self.pixel(image, x, y), expected, by: 14), "\(x) \(y): \(Self.pixel(image, x, y))")
        }
    }

    /// A file that ends early gives no picture, or one that says it lacks something.
    @Test(arguments: ["stripes", "progressive", "inks"]) func oneThatIsCutIsRefusedOrSaysSo(name: String) throws {
        let whole = try Repository.fixture("images/\(name).jpg")
        let picture = try Self.decoded(whole)
        var outcomes: Set<String> = []
        for count in 0..<whole.count {
            let cut = Array(whole.prefix(count))
            guard let header = ImageProbe.probe(cut, fileName: "a.jpg").header else {
                outcomes.insert("no image")
                continue
            }
            guard let image = try? DecodedImage(cut, header: header) else {
                outcomes.insert("refused")
                continue
            }
            #expect(image.width == picture.width && image.height == picture.height)
            // All but the mark behind the last pixel may be there.
            if count < whole.count - 2 { #expect(!image.isWhole, "\(count) bytes") }
            outcomes.insert("cut")
        }
        #expect(outcomes == ["no image", "refused", "cut"])
        #expect(picture.isWhole)
    }

    @Test func whatIsNoJPEGInsideIsAFailureWithACode() throws {
        var bytes = try Repository.fixture("images/stripes.jpg")
        let header = try #require(ImageProbe.probe(bytes).header)
        // Behind the headers, anything.
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<200 {
            var broken = bytes
            for _ in 0..<4 {
                broken[Int.random(in: 2..<broken.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            do {
                let image = try DecodedImage(broken, header: header)
                #expect(image.width == 64 && image.height == 64)
            } catch {
                #expect([.imageDataInvalid, .imageTruncated, .imageUnsupportedFormat].contains(error.code))
            }
        }
        bytes.removeSubrange(2...)
        let empty = #expect(throws: CodedFailure.self) { try DecodedImage(bytes, header: header) }
        #expect(empty?.code == .imageDataInvalid)
    }

    /// Each pass goes over all pixels: a file of a few kilobytes could ask for hours.
    @Test func oneOfVeryManyPassesIsRefused() throws {
        let bytes = try Repository.fixture("images/progressive.jpg")
        // The last scan, again and again.
        let markers = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        let last = try #require(markers.last)
        let scan = bytes[last..<bytes.count - 2]
        let many = bytes[..<last] + Array(repeating: Array(scan), count: 500).joined() + [0xFF, 0xD9]
        let failure = #expect(throws: CodedFailure.self) { try Self.decoded(Array(many)) }
        #expect(failure?.code == .imageDataInvalid)
    }

    /// All passes of one are kept until the last is read, two bytes a value.
    @Test func memoryHasABound() throws {
        var bytes = try Repository.fixture("images/progressive.jpg")
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        // 4,000 pixels a side.
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x0F, 0xA0, 0x0F, 0xA0])
        let pixels = 4000 * 4000 * 3
        let codes = try [pixels + 1000, pixels * 4].map { memory in
            do {
                let limits = ImageLimits(side: 4000, bytes: pixels, memory: memory)
                return try Self.decoded(bytes, limits: limits).isWhole ? nil : FindingCode.imageTruncated
            } catch let failure as CodedFailure { return failure.code }
        }
        #expect(codes == [.imageDataInvalid, .imageTruncated])
    }
}
