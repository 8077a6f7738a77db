import DaeDiagnostics
import DaeImages
import TestSupport
import Testing

/// Whatever the bytes: an image within the limits, or an error that says something.
@Suite struct HostileTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") == "1"
    private static let limits = ImageLimits(side: 200, bytes: 3000)

    private func survive(_ file: [UInt8], name: String) -> Bool {
        do throws(CodedFailure) {
            let image = try ImageCodec.png(from: file, fileName: name, limits: Self.limits)
            let size = image.width * image.height * image.channels
            return image.width <= 200 && image.height <= 200 && size <= 3000 && image.bytes.count < 2 * size + 1000
        } catch {
            return !error.message.isEmpty
                && [.imageTruncated, .imageDataInvalid, .imageTooLarge, .imageUnsupportedFormat].contains(error.code)
        }
    }

    @Test(arguments: HostileSamples.all)
    func aFileCutAtAnyLengthGivesAnImageOrAnError(_ sample: HostileSamples.Sample) throws {
        #expect(
            try ImageCodec.png(from: sample.file, fileName: sample.name, limits: Self.limits).completeness == .whole)
        for count in sample.file.indices {
            #expect(survive(Array(sample.file.prefix(count)), name: sample.name), "\(count)")
        }
    }

    @Test(arguments: HostileSamples.all)
    func changedBytesGiveAnImageOrAnError(_ sample: HostileSamples.Sample) {
        var numbers = SeededNumbers(seed: UInt64(sample.file.count))
        for round in 0..<(Self.isFull ? 20_000 : 600) {
            var file = sample.file
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                // The front tells most.
                let reach = Bool.random(using: &numbers) ? file.count : min(64, file.count)
                let place = Int.random(in: 0..<reach, using: &numbers)
                switch Int.random(in: 0..<8, using: &numbers) {
                case 0: file.remove(at: place)
                case 1: file.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
                case 2: file[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &numbers) ?? 0
                case 3: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                case _: file[place] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            #expect(survive(file, name: sample.name), "round \(round)")
        }
    }

    /// A few bytes that claim the most that is allowed: refused by the file's own size, or made, but never trapped on.
    @Test func sizesThatOverflowAreRefused() {
        var sample = SampleBMP(width: 0x7FFF_FFFF, height: -0x8000_0000, body: [1, 2, 3])
        #expect(survive(sample.file, name: "a.bmp"))
        (sample.bits, sample.packing, sample.palette) = (8, 1, [0, 0, 0, 0])
        #expect(survive(sample.file, name: "a.bmp"))
        for bits in [0, 1, 8, 24, 32] {
            let dds = SampleDDS(
                width: 0xFFFF_FFFF, height: 0xFFFF_FFFF, flags: 0x41, code: "\0\0\0\0", bits: bits,
                masks: [0xFFFF_FFFF, 0x8000_0000, 1, 0xFFFF_FFFF], body: [1, 2, 3, 4])
            #expect(survive(dds.file, name: "a.dds"))
        }
    }
}

/// One file or more of each kind that is read.
enum HostileSamples {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let file: [UInt8]

        var testDescription: String { "\(name), \(file.count) bytes" }
    }

    static let all: [Sample] =
        tga.map { Sample(name: "a.tga", file: $0) } + bmp.map { Sample(name: "a.bmp", file: $0) }
        + gif.map { Sample(name: "a.gif", file: $0) } + dds.map { Sample(name: "a.dds", file: $0) }
        + tiff.map { Sample(name: "a.tif", file: $0) }
        + [SampleWebP.lossless, SampleWebP.lossy, SampleWebP.lossyAlpha].map { Sample(name: "a.webp", file: $0) }

    private static func noise(_ count: Int, from seed: UInt64) -> [UInt8] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    private static let tga: [[UInt8]] = [
        SampleTGA(descriptor: 0x30, note: [1, 2], body: noise(18, from: 1)).file,
        SampleTGA(bits: 16, descriptor: 0x01, body: noise(12, from: 2)).file,
        SampleTGA(
            type: 10, width: 9, bits: 32, descriptor: 0x08,
            body: SampleTGA.packed(noise(40, from: 3) + [UInt8](repeating: 5, count: 32), pixelBytes: 4)
        ).file,
        SampleTGA(type: 9, bits: 8, mapBits: 24, mapFirst: 1, map: noise(30, from: 4), body: [0x82, 3, 2, 1, 5, 9])
            .file,
        SampleTGA(type: 11, bits: 16, descriptor: 0x28, body: [0x85, 7, 8]).file,
    ]
    private static let bmp: [[UInt8]] = [
        SampleBMP(body: noise(24, from: 5)).file,
        SampleBMP(bits: 4, palette: noise(64, from: 6), body: noise(8, from: 7)).file,
        SampleBMP(height: -2, bits: 16, packing: 3, masks: [0xF800, 0x7E0, 0x1F], body: noise(16, from: 8)).file,
        SampleBMP(
            bits: 32, packing: 3, size: 124, masks: [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000], body: noise(24, from: 9)
        ).file,
        SampleBMP(
            width: 9, bits: 8, packing: 1, palette: noise(64, from: 10),
            body: [4, 3, 0, 3, 1, 2, 3, 0, 0, 2, 1, 1, 9, 9, 0, 1]
        ).file,
        SampleBMP(
            width: 9, bits: 4, packing: 2, palette: noise(64, from: 11), body: [4, 0x35, 0, 5, 1, 2, 3, 0, 0, 0, 0, 1]
        ).file,
    ]
    private static let gif: [[UInt8]] = [
        SampleGIF(clearIndex: 1, indices: noise(12, from: 12).map { $0 & 3 }, blockSize: 3).file,
        SampleGIF(isInterlaced: true, ownPalette: noise(12, from: 13), indices: noise(12, from: 14).map { $0 & 3 })
            .file,
    ]
    private static let dds: [[UInt8]] = [
        SampleDDS(width: 5, body: noise(16, from: 15)).file,
        SampleDDS(code: "DXT3", body: noise(16, from: 16)).file,
        SampleDDS(code: "DXT4", body: noise(16, from: 17)).file,
        SampleDDS(dxgi: 83, body: noise(16, from: 18)).file,
        SampleDDS(
            width: 3, height: 2, flags: 0x41, bits: 32, masks: [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000],
            body: noise(24, from: 19)
        ).file,
    ]
    private static let tiff: [[UInt8]] = [
        SampleTIFF(body: noise(12, from: 20)).file,
        SampleTIFF(bits: [8, 8, 8, 8], extra: 1, isLittle: false, body: noise(16, from: 21)).file,
        SampleTIFF(bits: [8], photometric: 3, colourMap: noise(768, from: 22).map { Int($0) }, body: [1, 2, 3, 4]).file,
        SampleTIFF(compression: 32_773, body: [0xFB, 9, 5, 1, 2, 3, 4, 5, 6]).file,
        SampleTIFF(bits: [16], photometric: 1, body: noise(8, from: 23)).file,
        SampleTIFF(
            width: 16, height: 3, bits: [1], photometric: 1, compression: 4,
            body: [0x26, 0xA0, 0xBC, 0xCF, 0x89, 0x63, 0xC0, 0x04, 0, 0x40]
        ).file,
        SampleTIFF(
            compression: 8,
            body: [0x78, 1, 1, 12, 0, 0xF3, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x01, 0x78, 0x00, 0x4F]
        ).file,
    ]
}
