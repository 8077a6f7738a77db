import DaeDiagnostics
import DaeImages
import Testing

@Suite struct GIFTests {
    private static let colours: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]]
    private let indices: [UInt8] = [0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 2, 2]

    private func picture(_ sample: SampleGIF) throws -> Picture {
        let image = try ImageCodec.png(from: sample.file, fileName: "a.gif")
        #expect(image.completeness == .whole)
        return try Picture(png: image.bytes)
    }

    @Test(arguments: [1, 2, 255]) func indicesBecomeColours(blockSize: Int) throws {
        let picture = try picture(SampleGIF(indices: indices, blockSize: blockSize))
        #expect(picture.channels == 3)
        #expect(picture.bytes == indices.flatMap { Self.colours[Int($0)] })
    }

    @Test func oneIndexMayBeClear() throws {
        let picture = try picture(SampleGIF(clearIndex: 2, indices: indices))
        #expect(picture.bytes == indices.flatMap { Self.colours[Int($0)] + [$0 == 2 ? 0 : 255] })
    }

    @Test func theFramesOwnColoursWin() throws {
        let own: [UInt8] = [9, 9, 9, 8, 8, 8, 7, 7, 7, 6, 6, 6]
        for shared in [SampleGIF().palette, []] {
            let picture = try picture(SampleGIF(palette: shared, ownPalette: own, indices: indices))
            #expect(picture[0, 0] == [9, 9, 9] && picture[3, 0] == [6, 6, 6])
        }
    }

    @Test func whatTheFrameDoesNotCoverIsClear() throws {
        let sample = SampleGIF(frame: (left: 1, top: 1, width: 2, height: 1), indices: [1, 2])
        let picture = try picture(sample)
        #expect(picture.width == 4 && picture.height == 3)
        #expect(picture[1, 1] == [255, 0, 0, 255] && picture[2, 1] == [0, 255, 0, 255])
        #expect(picture[0, 1] == [0, 0, 0, 0] && picture[1, 0] == [0, 0, 0, 0] && picture[3, 2] == [0, 0, 0, 0])
    }

    @Test func whatLeavesTheScreenIsLost() throws {
        let sample = SampleGIF(frame: (left: 3, top: 2, width: 2, height: 2), indices: [1, 2, 3, 3])
        #expect(try picture(sample)[3, 2] == [255, 0, 0, 255])
    }

    @Test func interlacedRowsFindTheirPlaces() throws {
        let order = [0, 8, 4, 2, 6, 10, 1, 3, 5, 7, 9]
        let sample = SampleGIF(
            screen: (width: 1, height: 11), frame: (left: 0, top: 0, width: 1, height: 11), isInterlaced: true,
            indices: order.map { UInt8($0 % 4) })
        let picture = try picture(sample)
        #expect((0..<11).map { picture[0, $0] } == (0..<11).map { Self.colours[$0 % 4] })
    }

    @Test func ofAFileThatIsCutTheRestIsBlack() throws {
        let image = try ImageCodec.png(from: SampleGIF(indices: indices).file.dropLast(4), fileName: "a.gif")
        #expect(image.completeness == .cut)
        let picture = try Picture(png: image.bytes)
        #expect(picture[1, 0] == [255, 0, 0] && picture[3, 2] == [0, 0, 0])
    }

    @Test func codesThatLeadNowhereAreNoticed() throws {
        var sample = SampleGIF(indices: [1, 1])
        sample.indices.append(7)  // not yet given out
        let image = try ImageCodec.png(from: sample.file, fileName: "a.gif")
        #expect(image.completeness.code == .imageDataInvalid)
    }

    @Test func aFileWithoutAFrameOrColoursIsRefused() {
        var sample = SampleGIF(indices: indices)
        sample.palette = []
        let colourless = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: sample.file, fileName: "a.gif")
        }
        #expect(colourless?.message == "the gif image is broken: it has no colours")
        let empty = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B, 0, 0, 0, 0]
        let frameless = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: empty, fileName: "a.gif") }
        #expect(frameless?.code == .imageDataInvalid)
    }

    @Test func aFrameLargerThanTheLimitsIsRefused() {
        let sample = SampleGIF(frame: (left: 0, top: 0, width: 65_535, height: 65_535), indices: indices)
        let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: sample.file, fileName: "a.gif") }
        #expect(error?.code == .imageTooLarge)
    }
}
