import ImageProbe
import TestSupport
import Testing

@Suite struct ImageEndingTests {
    private func isTruncated(_ bytes: [UInt8], fileName: String = "") throws -> Bool? {
        let header = try #require(ImageProbe.probe(bytes, fileName: fileName).header)
        var streamed = ImageEnding()
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            streamed.push(Array(bytes[start..<min(start + 1000, bytes.count)]))
        }
        let atOnce = ImageEnding(size: Int64(bytes.count), tail: bytes.suffix(ImageEnding.tailLength))
        #expect(streamed.isTruncated(header) == atOnce.isTruncated(header))
        return streamed.isTruncated(header)
    }

    @Test(arguments: ["images/stripes.png", "images/stripes.jpg"])
    func aFileOfARealProgramIsWholeAndWithoutItsEndItIsNot(name: String) throws {
        let bytes = try Repository.fixture(name)
        #expect(try isTruncated(bytes) == false)
        #expect(try isTruncated(bytes + [0, 0, 0]) == false)
        for missing in [20, bytes.count / 10] { #expect(try isTruncated(Array(bytes.dropLast(missing))) == true) }
    }

    @Test func anImageOfPlainPixelsIsWholeFromTheByteItNeeds() throws {
        let sizes = OtherFormatsTests.samples.compactMap { sample in sample.header.leastBytes.map { (sample, $0) } }
        #expect(sizes.count > 8)
        for (sample, least) in sizes {
            let room = max(0, Int(least) - sample.bytes.count)
            let whole = sample.bytes + [UInt8](repeating: 0, count: room)
            #expect(try isTruncated(whole, fileName: sample.fileName) == false, "\(sample.what)")
            guard room > 0 else { continue }
            #expect(try isTruncated(Array(whole.dropLast()), fileName: sample.fileName) == true, "\(sample.what)")
        }
    }

    @Test func aGIFEndsWithItsMark() throws {
        let start = try #require(OtherFormatsTests.samples.first { $0.header.format == .gif }).bytes
        let whole = start + [UInt8](repeating: 0x3B, count: 20) + [0x11, 0x3B]
        #expect(try isTruncated(whole) == false)
        #expect(try isTruncated(whole + [0, 0]) == false)
        #expect(try isTruncated(Array(whole.dropLast())) == true)
    }

    @Test func whatOnlyADecoderCouldTellIsNotTold() throws {
        let samples = OtherFormatsTests.samples.filter {
            [.tiff, .psd, .hdr, .ktx].contains($0.header.format) || $0.what == "a packed grey TGA"
        }
        #expect(samples.count == 6)
        for sample in samples { #expect(try isTruncated(sample.bytes, fileName: sample.fileName) == nil) }
    }
}
