import DaeDiagnostics
import Testing

@testable import DaeImages

@Suite struct LimitTests {
    @Test(arguments: [(16_385, 1), (1, 16_385), (16_384, 16_384)])
    func anImageAboveTheLimitsIsRefusedBeforeItIsRead(width: Int, height: Int) throws {
        let file = SampleTGA(width: width, height: height, body: [1, 2, 3]).file
        let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: file, fileName: "a.tga") }
        #expect(error?.code == .imageTooLarge)
        #expect(error?.message.contains("\(width) × \(height)") == true)
    }

    @Test func limitsCountTheBytesOfAllChannels() throws {
        let file = SampleTGA(width: 2, height: 2, bits: 24, body: [UInt8](repeating: 7, count: 12)).file
        #expect(try ImageCodec.png(from: file, fileName: "a.tga", limits: ImageLimits(bytes: 12)).channels == 3)
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: file, fileName: "a.tga", limits: ImageLimits(bytes: 11))
        }
        #expect(error == CodedFailure(.tga, .tooLarge(width: 2, height: 2, limits: ImageLimits(bytes: 11))))
    }

    @Test func aFileThatHoldsLittleOfWhatItClaimsIsNotWorthTheMemory() throws {
        let files: [(String, [UInt8])] = [
            ("a.tga", SampleTGA(type: 3, width: 16_000, height: 16_000, bits: 8, body: [1, 2, 3]).file),
            ("a.tga", SampleTGA(type: 11, width: 16_000, height: 16_000, bits: 8, body: [0xFF, 3]).file),
            ("a.bmp", SampleBMP(width: 8000, height: 8000, bits: 24, body: [1, 2, 3]).file),
            ("a.dds", SampleDDS(width: 8000, height: 8000, body: [UInt8](repeating: 0, count: 64)).file),
            (
                "a.gif",
                SampleGIF(
                    screen: (width: 8000, height: 8000), frame: (left: 0, top: 0, width: 8000, height: 8000),
                    indices: [1, 2]
                ).file
            ),
        ]
        for (name, file) in files {
            let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: file, fileName: name) }
            #expect(error?.code == .imageTruncated, "\(name)")
        }
        // One row of 64 is enough.
        let row = SampleTGA(type: 3, width: 100, height: 64, bits: 8, body: [UInt8](repeating: 9, count: 100)).file
        #expect(try ImageCodec.png(from: row, fileName: "a.tga").completeness == .cut)
    }

    @Test(arguments: [ImageFormat.psd, .hdr, .ktx, .ktx2, .png, .jpeg])
    func formatsThatAreNotReadAreRefusedByName(format: ImageFormat) {
        #expect(!ImageCodec.canDecode(format))
        let header = ImageHeader(format: format, width: 1, height: 1, channels: 3, bitDepth: 8)
        let error = #expect(throws: CodedFailure.self) { try ImageCodec.png(from: [1, 2, 3], header: header) }
        #expect(error?.code == .imageUnsupportedFormat)
        #expect(error?.message.contains("the \(format.rawValue) image") == true)
    }

    @Test func bytesOfNoFormatAreRefused() {
        let error = #expect(throws: CodedFailure.self) {
            try ImageCodec.png(from: Array("v/1\u{1}".utf8), fileName: "a.exr")
        }
        #expect(error == CodedFailure(nil, .unsupported("its format is not known")))
    }

    @Test func anOpaqueImageHasNoAlpha() throws {
        let opaque = SampleTGA(width: 1, height: 2, bits: 32, descriptor: 0x28, body: [1, 2, 3, 255, 4, 5, 6, 255])
        let picture = try Picture(png: ImageCodec.png(from: opaque.file, fileName: "a.tga").bytes)
        #expect(picture == Picture(width: 1, height: 2, channels: 3, bytes: [3, 2, 1, 6, 5, 4]))
    }
}
