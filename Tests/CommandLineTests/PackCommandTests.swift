import FoundationEssentials
import TestSupport
import Testing

/// `dae pack`: an archive of what a scene uses.
@Suite struct PackCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let walker = Repository.fixtures + "/bundles/walker.zip"

    private func pack(_ source: String, to name: String, _ others: [String] = []) throws -> Program.Outcome {
        try Program.run(["pack", source, "-o", folder.path + "/" + name] + others)
    }

    private func entry(_ path: String, of name: String) throws -> String {
        let outcome = try Program.run(["cat", folder.path + "/" + name + "!/" + path])
        #expect(outcome.code == 0, "\(outcome.errors)")
        return outcome.text
    }

    @Test func whatIsUsedIsTakenAlongUnderAPlainName() throws {
        let outcome = try pack(Self.walker, to: "clean.zae")
        #expect(outcome.code == 0 && outcome.errors == "")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("\(folder.path)/clean.zae   ") && lines[0].hasSuffix(" · 3 files"))
        #expect(
            lines[1]
                == "  rewritten   /home/ada/walker/textures/skin%20tone.png → textures/skin_tone.png   (by the end of its path)"
        )
        let manifest = try entry("manifest.xml", of: "clean.zae")
        #expect(manifest.contains("<dae_root>walker.dae</dae_root>"))
        let resolved = try Program.run(["resolve", "--format", "json", folder.path + "/clean.zae"])
        #expect(resolved.code == 0 && resolved.text.contains("\"rule\": \"exact\""), "\(resolved.text)")
    }

    @Test func nothingElseOfADocumentIsTouched() throws {
        let outcome = try pack(Self.walker, to: "clean.zip")
        #expect(outcome.code == 0)
        let before = try Program.run(["cat", Self.walker + "!/walker.dae"]).text
        let after = try entry("walker.dae", of: "clean.zip")
        #expect(
            after == before.replacing("/home/ada/walker/textures/skin%20tone.png", with: "textures/skin_tone.png"))
        #expect(after != before)
    }

    @Test func theSameSceneGivesTheSameBytes() throws {
        #expect(try pack(Self.walker, to: "one.zae").code == 0)
        #expect(try pack(Self.walker, to: "two.zae").code == 0)
        #expect(try pack(folder.path + "/one.zae", to: "three.zae").code == 0)
        let one = try Repository.bytes(at: folder.path + "/one.zae")
        #expect(one == (try Repository.bytes(at: folder.path + "/two.zae")))
        #expect(one == (try Repository.bytes(at: folder.path + "/three.zae")))
    }

    @Test func aKMZShowsIt() throws {
        #expect(try pack(Self.walker, to: "clean.kmz").code == 0)
        #expect(try entry("doc.kml", of: "clean.kmz").contains("<Link><href>walker.dae</href></Link>"))
        let inspected = try Program.run(["inspect", "--format", "json", folder.path + "/clean.kmz"])
        #expect(inspected.text.contains("\"rule\": \"kmzModelLink\""))
    }

    @Test func anIdThatReadsLikeAFileStays() throws {
        // The image's id is its file's name, as some exporters have it, and a surface names the image.
        let document = modelDocument(image: "a b.png").replacing("<image id=\"i\"", with: "<image id=\"a b.png\"")
        let surface = "<surface type=\"2D\"><init_from>a b.png</init_from></surface>"
        let source = try folder.write(
            document.replacing(
                "</library_images>", with: "</library_images><!-- \(surface) --><extra>\(surface)</extra>"),
            to: "in/model.dae")
        try folder.write("not used", to: "in/notes.txt")
        try folder.write(Repository.bytes(at: Repository.fixtures + "/pictures/chair.png"), to: "in/a b.png")
        let outcome = try pack(source, to: "clean.zip", ["--format", "json"])
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        let packed = try entry("model.dae", of: "clean.zip")
        #expect(packed.contains("<init_from>textures/a_b.png</init_from>"))
        #expect(packed.contains("<extra>\(surface)</extra>") && packed.contains("<!-- \(surface) -->"))
        #expect(!(try Program.run(["ls", folder.path + "/clean.zip"]).text.contains("notes.txt")))
    }

    @Test func whatIsNotThereIsTold() throws {
        let source = try folder.write(modelDocument(image: "none.png"), to: "model.dae")
        let outcome = try pack(source, to: "clean.zae")
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("  not found   none.png   (missing)\n"), "\(outcome.text)")
    }

    @Test func nothingIsReplacedUnasked() throws {
        try folder.write("mine", to: "mine.zae")
        let outcome = try pack(Self.walker, to: "mine.zae")
        #expect(outcome.code == 73)
        #expect(outcome.errors == "dae: \(folder.path)/mine.zae: a file is there; --force replaces it\n")
        #expect(String(decoding: try Repository.bytes(at: folder.path + "/mine.zae"), as: UTF8.self) == "mine")
        #expect(try pack(Self.walker, to: "mine.zae", ["--force"]).code == 0)
        #expect(try pack(Self.walker, to: "model.rar").errors.contains("one of .zae, .kmz, .zip"))
        #expect(try pack(Self.walker, to: "none/model.zae").code == 73)
    }
}
