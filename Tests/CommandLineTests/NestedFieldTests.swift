import TestSupport
import Testing

/// Archives within archives, and what lies around them.
@Suite struct NestedFieldTests {
    private let trial: BundleTrial

    init() throws { trial = try BundleTrial() }

    private static func field(_ name: String) -> String { BundleTrial.field("A13-nested-archive/\(name)") }

    @Test(arguments: ["root-is-an-archive.zae", "root-in-an-archive.zae", "root-in-an-archive-beside-another.zae"])
    func aRootInAnArchiveIsTheScene(name: String) throws {
        let path = Self.field(name)
        let outcome = try Program.run(["inspect", "--format", "json", path])
        #expect(outcome.code == 0)
        #expect(try trial.scene(path) == "b.dae")
        let codes = try trial.codes(path)
        for code in ["XML_ENCODING_MISMATCH", "ZAE_MANIFEST_MISSING", "ZAE_ROOT_NOT_FOUND"] {
            #expect(!codes.contains(code))
        }
        #expect(try trial.resolved(path) == ["t.png"])
        #expect(try trial.converted(path).images.count == 1)
    }

    @Test func anImageInAnArchiveIsFoundAndTaken() throws {
        let path = Self.field("image-in-an-archive.zip")
        #expect(try trial.resolved(path) == ["tex.zip/t.png"])
        #expect(try !trial.codes(path).contains("BUNDLE_UNUSED_FILE"))
        #expect(try trial.converted(path).images.count == 1)
    }

    @Test func anImageBesideAnArchiveIsFoundAndTaken() throws {
        let path = Self.field("image-beside-an-archive.zip")
        #expect(try trial.resolved(path) == ["textures/wood.png"])
        let outside = try Program.run(["cat", path + "!/textures/wood.png"]).output
        #expect(try trial.converted(path).images == [outside])
    }

    @Test func aDocumentInAnArchiveIsRead() throws {
        let path = Self.field("document-in-an-archive.zae")
        #expect(try !trial.codes(path).contains("REF_EXTERNAL_UNRESOLVED"))
        #expect(try trial.converted(path).points.count == 3)
    }

    @Test func aManifestInTheOneFolderCounts() throws {
        let path = Self.field("manifest-in-a-folder.zae")
        #expect(try trial.scene(path) == "robot/b.dae")
        #expect(try !trial.codes(path).contains("ZAE_MANIFEST_MISSING"))
    }

    // MARK: - Siblings

    private static func archive(_ files: [(String, [UInt8])]) -> [UInt8] {
        var zip = ZipBuilder()
        for (path, bytes) in files { zip.addDeflated(path, bytes) }
        return zip.bytes()
    }

    private func write(_ name: String, _ files: [(String, [UInt8])]) throws -> String {
        try trial.place.write(Self.archive(files), to: name)
    }

    private static func manifest(_ root: String) -> (String, [UInt8]) {
        ("manifest.xml", Array("<dae:manifest xmlns:dae=\"x\"><dae_root>\(root)</dae_root></dae:manifest>".utf8))
    }

    @Test func pathsGoThroughArchivesOfArchives() throws {
        let picture = pixel(red: 77)
        let textures = Self.archive([("deep/t.png", picture)])
        let model = Array(modelDocument(image: "../tex.zip/deep/t.png", version: "1.5.0").utf8)
        let inner = Self.archive([("m/b.dae", model), ("tex.zip", textures)])
        let path = try write("outer.zae", [Self.manifest("sub/inner.kmz/m/b.dae"), ("sub/inner.kmz", inner)])
        #expect(try trial.scene(path) == "m/b.dae")
        #expect(try trial.resolved(path) == ["tex.zip/deep/t.png"])
        #expect(try trial.converted(path).images == [picture])
        // Spelled otherwise, and as an address.
        for root in ["SUB/Inner.kmz/m/b.dae", "sub\\inner.kmz\\m\\b.dae", "./sub/inner.kmz/m/b.dae#s"] {
            let other = try write(
                "other.zae", [Self.manifest(root), ("sub/inner.kmz", inner), ("x.dae", Array(modelDocument().utf8))])
            // Upper and lower case are one within the archive's own list.
            let scenes = try trial.lines(["inspect", other]).values.map { $0["bundle"]?["scene"]?["path"]?.string }
            #expect(scenes == (root.hasPrefix("SUB") ? ["x.dae", "m/b.dae"] : ["m/b.dae"]), "\(root)")
        }
        #expect(try trial.scene(path + "!/sub/inner.kmz/m/b.dae") == "m/b.dae")
        #expect(try trial.scene(path + "!/sub/inner.kmz!/m/b.dae") == "m/b.dae")
    }

    @Test func aFolderMayHoldTheArchives() throws {
        try trial.place.write(Self.archive([("t.png", pixel(red: 5))]), to: "model/tex.zip")
        try trial.place.write(modelDocument(image: "tex.zip/t.png"), to: "model/a.dae")
        try trial.place.write(String(decoding: Self.manifest("a.dae").1, as: UTF8.self), to: "model/manifest.xml")
        #expect(try trial.resolved(trial.place.path + "/model") == ["tex.zip/t.png"])
    }

    @Test func whatLiesAroundIsFoundByEveryRuleAndOnlyThen() throws {
        let document = modelDocument(image: "C:\\work\\wood.png")
        let inner = Self.archive([("model.dae", Array(document.utf8))])
        let path = try write("down.zip", [("source/model.zip", inner), ("textures/wood.png", pixel(red: 8))])
        #expect(try trial.resolved(path) == ["textures/wood.png"])
        let own = Self.archive([("model.dae", Array(document.utf8)), ("tex/wood.png", pixel(red: 9))])
        let both = try write("both.zip", [("source/model.zip", own), ("textures/wood.png", pixel(red: 8))])
        #expect(try trial.resolved(both) == ["tex/wood.png"])
        #expect(try trial.converted(both).images == [pixel(red: 9)])
        let up = Self.archive([("model.dae", Array(modelDocument(image: "../textures/wood.png").utf8))])
        let above = try write("above.zip", [("model.zip", up), ("textures/wood.png", pixel(red: 8))])
        #expect(try trial.converted(above).images == [pixel(red: 8)])
        // Beyond the outermost archive nothing is looked at.
        #expect(try trial.resolved(write("out.zip", [("model.zip", up)])) == ["blocked"])
    }

    @Test func whatIsNoArchiveOrTooDeepIsMissing() throws {
        let path = try write(
            "bad.zip",
            [("a.dae", Array(modelDocument(image: "tex.zip/t.png").utf8)), ("tex.zip", Array("PK\u{3}\u{4}no".utf8))])
        #expect(try trial.resolved(path) == ["missing"])
        var archive = Self.archive([("t.png", pixel(red: 1))])
        var reference = "t.png"
        for _ in 0..<12 {
            archive = Self.archive([("x.zip", archive)])
            reference = "x.zip/" + reference
        }
        let deep = try write(
            "deep.zip", [("a.dae", Array(modelDocument(image: "y.zip/" + reference).utf8)), ("y.zip", archive)])
        #expect(try Program.run(["validate", deep]).code == 1)
    }
}
