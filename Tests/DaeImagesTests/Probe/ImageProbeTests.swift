import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeImages

@Suite struct ImageProbeTests {
    // MARK: PNG

    private static let pixels: [(colourType: UInt8, depth: UInt8, channels: Int)] = [
        (0, 1, 1), (0, 16, 1), (2, 8, 3), (3, 4, 3), (4, 16, 2), (6, 8, 4),
    ]

    @Test(arguments: pixels)
    func aPNGTellsSizeChannelsAndDepth(colourType: UInt8, depth: UInt8, channels: Int) {
        let bytes = SampleImages.png(width: 640, height: 3, depth: depth, colourType: colourType)
        let header = ImageHeader(format: .png, width: 640, height: 3, channels: channels, bitDepth: Int(depth))
        #expect(ImageProbe.probe(bytes) == .image(header))
    }

    @Test func aPNGOfAnAppleBundleIsReadPastItsFirstChunk() {
        let bytes = SampleImages.png(width: 32, height: 16, apple: true)
        #expect(ImageProbe.probe(bytes).header?.width == 32)
        #expect(ImageProbe.probe(bytes).header?.height == 16)
    }

    @Test func aPNGWithAnImpossibleHeaderIsInvalid() {
        #expect(ImageProbe.probe(SampleImages.png(width: 0, height: 4)) == .invalid(.png, .zeroSize))
        #expect(ImageProbe.probe(SampleImages.png(width: 4, height: 0)) == .invalid(.png, .zeroSize))
        #expect(ImageProbe.probe(SampleImages.png(width: 1 << 31, height: 4)) == .invalid(.png, .sizeTooLarge))
        #expect(ImageProbe.probe(SampleImages.png(width: 4, height: 4, depth: 3)) == .invalid(.png, .unknownPixels))
        #expect(
            ImageProbe.probe(SampleImages.png(width: 4, height: 4, colourType: 5)) == .invalid(.png, .unknownPixels))
        var bytes = SampleImages.png(width: 4, height: 4)
        bytes[13] = 0x58
        #expect(ImageProbe.probe(bytes) == .invalid(.png, .brokenStructure))
    }

    @Test(arguments: [false, true])
    func everyPrefixOfAPNGIsTruncatedUntilItsSizeIsThere(apple: Bool) {
        let bytes = SampleImages.png(width: 7, height: 9, apple: apple)
        let enough = apple ? 42 : 26
        for count in bytes.indices {
            let result = ImageProbe.probe(Array(bytes.prefix(count)))
            switch count {
            case 0: #expect(result == .empty)
            case 1..<8: #expect(result == .unrecognised)
            case 8..<enough: #expect(result == .truncated(.png))
            default: #expect(result.header?.height == 9)
            }
        }
    }

    // MARK: JPEG

    @Test(arguments: [UInt8(0xC0), 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCF])
    func everyKindOfFrameTellsAJPEGsSize(frame: UInt8) {
        let bytes = SampleImages.jpeg(width: 1024, height: 513, frame: frame)
        let header = ImageHeader(format: .jpeg, width: 1024, height: 513, channels: 3, bitDepth: 8)
        #expect(ImageProbe.probe(bytes) == .image(header))
    }

    @Test func theFrameMayStandBehindMetadataTablesAndJunk() {
        let preview = SampleImages.jpeg(width: 1, height: 1)
        let before = [
            SampleImages.segment(0xE1, Array("Exif".utf8) + preview),
            SampleImages.segment(0xE2, [UInt8](repeating: 0xFF, count: 65_533)),
            SampleImages.segment(0xC4, [0xC0, 0, 17]), SampleImages.segment(0xFE, []),
            [0xFF, 0xFF, 0xFF, 0x01], [0x00, 0x42], [0xFF, 0x00],
        ]
        let result = ImageProbe.probe(SampleImages.jpeg(width: 20, height: 30, components: 1, before: before))
        #expect(result == .image(ImageHeader(format: .jpeg, width: 20, height: 30, channels: 1, bitDepth: 8)))
    }

    @Test func aJPEGWithAnImpossibleHeaderIsInvalid() {
        #expect(ImageProbe.probe(SampleImages.jpeg(width: 0, height: 4)) == .invalid(.jpeg, .zeroSize))
        #expect(ImageProbe.probe(SampleImages.jpeg(width: 4, height: 0)) == .invalid(.jpeg, .zeroSize))
        #expect(
            ImageProbe.probe(SampleImages.jpeg(width: 4, height: 4, components: 0)) == .invalid(.jpeg, .unknownPixels))
        #expect(
            ImageProbe.probe(SampleImages.jpeg(width: 4, height: 4, components: 5)) == .invalid(.jpeg, .unknownPixels))
        #expect(ImageProbe.probe([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0]) == .invalid(.jpeg, .brokenStructure))
        #expect(ImageProbe.probe([0xFF, 0xD8, 0xFF, 0xC0, 0, 7, 0]) == .invalid(.jpeg, .brokenStructure))
        #expect(ImageProbe.probe([0xFF, 0xD8, 0xFF, 0xD9]) == .invalid(.jpeg, .noHeader))
        let scan = SampleImages.jpeg(width: 4, height: 4, before: [SampleImages.segment(0xDA, [0])])
        #expect(ImageProbe.probe(scan) == .invalid(.jpeg, .noHeader))
    }

    @Test func everyPrefixOfAJPEGIsTruncatedUntilItsFrame() {
        let before = [SampleImages.segment(0xE0, [1, 2, 3])]
        let bytes = SampleImages.jpeg(width: 7, height: 9, before: before)
        let enough = 2 + 7 + 10
        for count in bytes.indices {
            let result = ImageProbe.probe(Array(bytes.prefix(count)))
            switch count {
            case 0: #expect(result == .empty)
            case 1..<3: #expect(result == .unrecognised)
            case 3..<enough: #expect(result == .truncated(.jpeg))
            default: #expect(result.header?.height == 9)
            }
        }
    }

    @Test func aFrameBehindTheFirstMegabyteIsOutOfReachHoweverTheBytesCome() {
        let full = SampleImages.segment(0xE2, [UInt8](repeating: 0, count: 65_533))
        let within = SampleImages.jpeg(width: 7, height: 9, before: Array(repeating: full, count: 15))
        let beyond = SampleImages.jpeg(width: 7, height: 9, before: Array(repeating: full, count: 17))
        let filler: [UInt8] = [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 2 << 20)
        #expect(ImageProbe.probe(within).header?.width == 7)
        #expect(ImageProbe.probe(beyond) == .outOfReach(.jpeg))
        #expect(ImageProbe.probe(filler) == .outOfReach(.jpeg))
        for bytes in [within, beyond, filler] {
            let whole = ImageProbe.probe(bytes)
            #expect(pulled(bytes, by: 4093).result == whole)
            #expect(pulled(bytes).result == whole)
        }
        // Ended in the segment that crosses the budget: still told by where the next byte would stand.
        let cut = Array(beyond.prefix(Int(ImageProbe.budget) - 5))
        #expect(pulled(cut, by: 1).result == ImageProbe.probe(cut))
        #expect(pulled(cut).result == ImageProbe.probe(cut))
    }

    @Test func whatDoesNotMatterIsNotAskedFor() {
        let full = SampleImages.segment(0xE2, [UInt8](repeating: 0, count: 65_533))
        let bytes = SampleImages.jpeg(width: 7, height: 9, before: Array(repeating: full, count: 10))
        let (result, asked) = pulled(bytes)
        #expect(result.header?.height == 9)
        let behindEachSegment: [Int64] = (1...10).map { $0 * 65_537 + 2 }
        #expect(asked == [0] + behindEachSegment)
    }

    // MARK: Other bytes

    @Test func aTextThatBeginsWithBMIsNoBitmap() {
        #expect(ImageProbe.probe(Array("BMW 2002 tii, scanned by hand".utf8)) == .unrecognised)
    }

    // MARK: From a real program

    @Test func imagesThatARealProgramWroteAreRead() throws {
        let png = ImageHeader(format: .png, width: 32, height: 32, channels: 3, bitDepth: 8)
        let jpeg = ImageHeader(format: .jpeg, width: 64, height: 64, channels: 3, bitDepth: 8)
        #expect(ImageProbe.probe(try Repository.fixture("images/stripes.png")) == .image(png))
        let bytes = try Repository.fixture("images/stripes.jpg")
        #expect(ImageProbe.probe(bytes) == .image(jpeg))
        for count in 3..<bytes.count {
            let result = ImageProbe.probe(Array(bytes.prefix(count)))
            #expect(result == .truncated(.jpeg) || result == .image(jpeg))
        }
    }

    // MARK: Any bytes

    @Test func aReaderThatFailsIsHeard() {
        struct Broken: Error, Equatable {}
        #expect(throws: Broken()) {
            try ImageProbe.probe { (_, _) throws(Broken) in throw Broken() }
        }
    }

    @Test func flippedBytesNeverTrapAndNeverDependOnHowTheyAreRead() {
        let samples =
            [
                SampleImages.png(width: 64, height: 32), SampleImages.png(width: 64, height: 32, apple: true),
                SampleImages.jpeg(
                    width: 64, height: 32, before: [SampleImages.segment(0xE1, [UInt8](repeating: 9, count: 40))]),
            ] + OtherFormatsTests.samples.map(\.bytes).filter { $0.count < 1000 }
        var generator = SeededNumbers(seed: 20_240_229)
        var kinds: Set<String> = []
        for round in 0..<8_000 {
            var bytes = samples[round % samples.count]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...(bytes.count / 2), using: &generator))
            let whole = ImageProbe.probe(bytes)
            kinds.insert(String("\(whole)".prefix { $0 != "(" }))
            for size in [1, Int.random(in: 2...30, using: &generator), .max] {
                let (result, asked) = pulled(bytes, by: size)
                #expect(result == whole)
                #expect(asked == asked.sorted(), "front to back")
            }
            if let header = whole.header { #expect(header.width > 0 && header.height > 0) }
        }
        #expect(kinds.isSuperset(of: ["image", "truncated", "invalid", "unrecognised"]))
    }

    /// - Parameter size: Bytes that are given at a time at most.
    private func pulled(_ bytes: [UInt8], by size: Int = .max) -> (result: ImageProbeResult, asked: [Int64]) {
        var asked: [Int64] = []
        let result = ImageProbe.probe { offset, count in
            asked.append(offset)
            return Array(bytes.dropFirst(Int(offset)).prefix(min(size, count)))
        }
        return (result, asked)
    }
}
