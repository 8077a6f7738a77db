import ImageCodec
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
                #expect(try Picture(png: image.bytes).colours == seen, "\(name)")
            }
        }
    }
}
