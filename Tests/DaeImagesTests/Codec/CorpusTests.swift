import DaeImages
import TestSupport
import Testing

@Suite(.enabled(if: Repository.corpus != nil, "needs the corpus of real models")) struct CorpusTests {
    /// All that lie there as files of their own.
    @Test func everyImageOfAnOddFormatIsRead() throws {
        let corpus = try #require(Repository.corpus)
        let endings = [".tga", ".bmp", ".gif", ".tif", ".tiff", ".dds", ".webp"]
        let names = try Repository.files(below: corpus).filter { name in
            endings.contains { name.lowercased().hasSuffix($0) }
        }
        #expect(names.count >= 7)
        for name in names {
            let image = try ImageCodec.png(from: Repository.bytes(at: corpus + "/" + name), fileName: name)
            #expect(image.completeness == .whole, "\(name)")
            if let python = Pillow.python {
                let seen = try Pillow.read(corpus + "/" + name, python: python)
                var picture = try Picture(png: image.bytes)
                // Pillow takes no sample for alpha that a TIFF does not call so.
                if name.hasSuffix(".tif") { picture = picture.withoutAlpha }
                #expect(picture.colours == seen, "\(name)")
            }
        }
    }

    /// A texture whose document needs its alpha: from Photoshop, which does not call it alpha.
    @Test func alphaOfAPhotoshopFileIsKept() throws {
        let path = try #require(Repository.corpus) + "/khronos-cts/Textures/AlphaTexture.tif"
        let image = try ImageCodec.png(from: Repository.bytes(at: path), fileName: path)
        let picture = try Picture(png: image.bytes)
        #expect(picture.channels == 4)
        let alpha = Set(stride(from: 3, to: picture.bytes.count, by: 4).map { picture.bytes[$0] })
        #expect(alpha.contains(0) && alpha.contains(255) && alpha.count > 10)
    }
}
