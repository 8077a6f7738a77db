import DaeDiagnostics
import DaeImages
import Testing

@Suite struct WebPTests {
    private func picture(_ file: [UInt8]) throws -> Picture {
        let image = try ImageCodec.png(from: file, fileName: "a.webp")
        #expect(image.completeness == .whole)
        return try Picture(png: image.bytes)
    }

    @Test func pixelsWithoutLossAreExactAlsoUnderAlpha() throws {
        let bytes = SampleWebP.losslessPixels
        #expect(try picture(SampleWebP.lossless) == Picture(width: 3, height: 2, channels: 4, bytes: bytes))
    }

    @Test func pixelsWithLoss() throws {
        #expect(try picture(SampleWebP.lossy)[0, 0] == [206, 100, 51])
        let alpha = try picture(SampleWebP.lossyAlpha)
        #expect((alpha.width, alpha.height) == (5, 4))
        #expect(alpha[0, 0] == [206, 100, 51, 99] && alpha[4, 3][3] == 99)
    }

    @Test func whatMovesIsRefused() {
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: SampleWebP.moving, fileName: "a.webp")
        }
        #expect(error?.message == "the webp image is not read: a WebP that moves")
    }

    @Test func aFileThatIsCutIsTold() throws {
        let file = SampleWebP.lossless
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: file.prefix(40), fileName: "a.webp")
        }
        #expect(error?.code == .imageTruncated)
    }
}
