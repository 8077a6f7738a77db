import DaeImages
import TestSupport
import Testing

@Suite struct TruncationCheckTests {
    private struct Verdict {
        let result: ImageProbeResult
        let isTruncated: Bool?  // what was said
        /// Bytes given to whoever asked.
        let read: Int
    }

    private func verdict(_ bytes: [UInt8], fileName: String = "") -> Verdict {
        var read = 0
        func give(_ offset: Int64, _ count: Int) -> [UInt8] {
            let given = Array(bytes.dropFirst(Int(offset)).prefix(count))
            read += given.count
            return given
        }
        let result = ImageProbe.probe(fileName: fileName) { give($0, $1) }
        let isTruncated = TruncationCheck.isTruncated(result, size: Int64(bytes.count)) { give($0, $1) }
        return Verdict(result: result, isTruncated: isTruncated, read: read)
    }

    private func isTruncated(_ bytes: [UInt8], fileName: String = "") -> Bool? {
        verdict(bytes, fileName: fileName).isTruncated
    }

    // MARK: All formats

    @Test func everyFormatIsAmongTheWholeFiles() {
        #expect(Set(WholeImage.all.map(\.format)) == Set(ImageFormat.allCases))
    }

    @Test(arguments: WholeImage.all) func aWholeFileIsWhole(image: WholeImage) {
        let verdict = verdict(image.bytes, fileName: image.fileName)
        #expect(verdict.result.header?.format == image.format, "\(verdict.result)")
        #expect(verdict.isTruncated == false)
        // Some writers leave something behind the end.
        #expect(isTruncated(image.bytes + WholeImage.filler(9000), fileName: image.fileName) == false)
    }

    @Test(arguments: WholeImage.all) func aFileWithoutItsEndIsCutShortWhereverThatIs(image: WholeImage) {
        #expect(verdict([], fileName: image.fileName).result == .empty)
        for count in 1..<image.bytes.count {
            let verdict = verdict(Array(image.bytes.prefix(count)), fileName: image.fileName)
            #expect(verdict.isTruncated == true, "\(count) of \(image.bytes.count): \(verdict.result)")
            #expect(verdict.result.format == image.format)
        }
    }

    @Test(arguments: WholeImage.all) func aCardTakesWhatTheFormatSays(image: WholeImage) throws {
        let header = try #require(ImageProbe.probe(image.bytes, fileName: image.fileName).header)
        #expect(header.gpuBytes == image.gpuBytes)
    }

    @Test func bytesThatWereChangedNeverTrapAndNeverAskForMoreThanTwiceTheFile() {
        var generator = SeededNumbers(seed: 4)
        var said: [Bool?: Int] = [:]
        let images = WholeImage.all.filter { $0.bytes.count < 5000 }
        for round in 0..<20_000 {
            let image = images[round % images.count]
            var bytes = image.bytes
            // Most headers are short, and what they say is worth changing.
            let reach = Bool.random(using: &generator) ? min(200, bytes.count) : bytes.count
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<reach, using: &generator)] =
                    [
                        0, 0xFF, 0x7F, .random(in: 0...255, using: &generator),
                    ].randomElement(using: &generator) ?? 0
            }
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            let verdict = verdict(bytes, fileName: image.fileName)
            said[verdict.isTruncated, default: 0] += 1
            #expect(verdict.read <= 3 * bytes.count + (1 << 17), "\(image.what)")
        }
        #expect(said.count == 3)
        #expect(said.values.allSatisfy { $0 > 1000 }, "\(said)")
    }

    // MARK: From a real program

    @Test(arguments: ["images/stripes.png", "images/stripes.jpg"])
    func aFileOfARealProgramIsWholeAndWithoutItsEndItIsNot(name: String) throws {
        let bytes = try Repository.fixture(name)
        #expect(isTruncated(bytes) == false)
        #expect(isTruncated(bytes + [0, 0, 0]) == false)
        for missing in [1, 20, bytes.count / 10] { #expect(isTruncated(Array(bytes.dropLast(missing))) == true) }
    }

    // MARK: What is not known

    @Test func whatOnlyADecoderCouldTellIsNotTold() {
        var psd = OtherFormatsTests.psd(channels: 3, depth: 8) + [UInt8](repeating: 0, count: 12)
        #expect(isTruncated(psd + [0, 2] + WholeImage.filler(100)) == nil)
        psd += [0, 0]
        #expect(isTruncated(psd + WholeImage.filler(100)) == true)
        let unknown = OtherFormatsTests.dds(code: "MINE", flags: 4) + WholeImage.filler(100)
        #expect(isTruncated(unknown) == nil)
        let withoutCounts = OtherFormatsTests.tiff(little: true, at: 8)
        #expect(isTruncated(withoutCounts) == false)
    }

    @Test func whatIsNoImageIsNotCutShort() {
        #expect(isTruncated(Array("no image at all, but long".utf8), fileName: "a.png") == nil)
        #expect(isTruncated([]) == nil)
        #expect(isTruncated(SampleImages.png(width: 0, height: 1)) == nil)
    }

    @Test func aFileThatCannotBeReadIsNotJudged() {
        let header = ImageProbe.probe(SampleImages.png(width: 1, height: 1))
        #expect(TruncationCheck.isTruncated(header, size: 1000) { _, _ in nil } == nil)
    }

    @Test func aFileThatTellsItsSizeIsNotRead() throws {
        let image = try #require(WholeImage.all.first { $0.format == .dds })
        let header = ImageProbe.probe(image.bytes)
        let isTruncated = TruncationCheck.isTruncated(header, size: 1) { _, _ in
            Issue.record("read")
            return nil
        }
        #expect(isTruncated == true)
    }

    // MARK: Long ways

    @Test func aJPEGWhoseSizeIsOutOfReachIsStillSeenToEnd() {
        let full = SampleImages.segment(0xE2, [UInt8](repeating: 0, count: 65_533))
        let bytes = SampleImages.jpeg(width: 7, height: 9, before: Array(repeating: full, count: 17))
        #expect(ImageProbe.probe(bytes) == .outOfReach(.jpeg))
        #expect(isTruncated(bytes) == false)
        #expect(isTruncated(Array(bytes.dropLast())) == true)
    }

    @Test func aTIFFWhoseDirectoryIsBehindItsEndIsCutShort() {
        let bytes = Array("II*\0".utf8) + OtherFormatsTests.little32(1 << 30) + WholeImage.filler(100)
        #expect(ImageProbe.probe(bytes) == .outOfReach(.tiff))
        #expect(isTruncated(bytes) == true)
    }

    @Test func pagesThatPointToEachOtherAreReadOnce() {
        var bytes = WholeImage.tiff(.init(pages: 2))
        // The second page's follower: the first one.
        let next = bytes.count - 48 - 4
        bytes.replaceSubrange(next..<(next + 4), with: OtherFormatsTests.little32(24))
        #expect(isTruncated(bytes) == false)
        #expect(isTruncated(Array(bytes.dropLast())) == true)
    }
}
