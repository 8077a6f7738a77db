// resolve, as a user calls it, for what has to do with whole scenes, folders and links of this machine.

import Glibc
import TestSupport
import Testing

@Suite struct ResolveCommandTests {
    private static func document(images: String = "", nodes: String = "") -> String {
        """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
        <library_images>\(images)</library_images><library_visual_scenes><visual_scene id="s"><node>\(nodes)</node>
        </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
        """
    }

    private static func image(_ id: String, _ reference: String) -> String {
        "<image id='\(id)'><init_from>\(reference)</init_from></image>"
    }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]

    private func link(_ path: String, to target: String) throws { try #require(symlink(target, path) == 0) }

    private func references(_ outcome: Program.Outcome) throws -> [JSONNode] {
        try #require(try JSONNode(parsing: outcome.output)["references"]).elements
    }

    // MARK: Every reference

    @Test func everyReferenceOfASceneIsListed() throws {
        let folder = try TemporaryFolder()
        let images =
            Self.image("oak", "") + Self.image("ash", "") + Self.image("elm", "tex/elm.png")
            + "<image id='blob'><data>00</data></image>"
        let nodes =
            "<instance_geometry url='parts/box.dae#x'/><instance_geometry url='parts/box.dae#y'/><instance_node url='gone.dae#x'/><instance_node url='http://h.example/far.dae#x'/>"
        var zip = ZipBuilder()
        zip.add("main.dae", Array(Self.document(images: images, nodes: nodes).utf8))
        zip.add("parts/box.dae", Array(Self.document(images: Self.image("in box", "../none.png")).utf8))
        zip.add("tex/elm.png", Self.png)
        zip.add("tex/Oak.png", Self.png)
        let path = try folder.write(zip.bytes(), to: "a.zip")
        let listed = try references(try Program.run(["resolve", path + "!/main.dae", "--format", "json"]))
        let rows = listed.map { row in
            ["kind", "id", "document", "reference", "status", "path", "rule"].map { row[$0]?.string ?? "-" }
                .joined(separator: " ")
        }
        #expect(
            rows == [
                "document - main.dae parts/box.dae found parts/box.dae exact",
                "document - main.dae gone.dae missing - -",
                "document - main.dae http://h.example/far.dae remote - -",
                "image oak main.dae  found tex/Oak.png imageName", "image ash main.dae  missing - -",
                "image elm main.dae tex/elm.png found tex/elm.png exact",
                "image in box parts/box.dae ../none.png missing - -",
            ])
        let text = try Program.run(["resolve", path + "!/main.dae"])
        #expect(text.code == 1)
        for line in [
            "document parts/box.dae: found parts/box.dae as written (exact, certain)\n", "document gone.dae: missing\n",
            "image oak, which names no file: found tex/Oak.png by the image's id or name (imageName, guess)\n",
            "image ash, which names no file: missing\n", "../none.png: missing\n  named in parts/box.dae\n",
            "7 references, 3 missing\n",
        ] { #expect(text.text.contains(line), "\(line): \(text.text)") }
    }

    // MARK: The schema

    @Test func everyOutcomeFitsTheSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/resolve.schema.json")))
        let folder = try TemporaryFolder()
        let references = [
            "tex/a.png", "none.png", "far/b.png", "far/c.png", "../../out.png", "http://h.example/x.png", "a\u{9}b.png",
            "data:image/png;base64,AA", "C:\\tex\\A.PNG", "package://robot/a.png", "model://none/a.png", "tex", "",
        ]
        let images = references.enumerated().map { Self.image("i\($0)", $1) }.joined()
        var zip = ZipBuilder()
        let text = Self.document(images: images, nodes: "<instance_node url='none.dae#x'/>")
        zip.add("m/main.dae", Array(text.utf8))
        for path in ["m/tex/a.png", "u/b.png", "u/c.png", "v/c.png", "robot/a.png"] { zip.add(path, Self.png) }
        let archive = try folder.write(zip.bytes(), to: "a.zip")
        let lone = try folder.write(text, to: "m/main.dae")
        try folder.write(Self.png, to: "package/a.png")
        for source in [archive, lone] {
            for options in [[], ["--missing"], ["--package", "robot=\(folder.path)/package"]] {
                let outcome = try Program.run(["resolve", source, "--format", "json"] + options)
                #expect(outcome.code == 1)
                #expect(schema.violations(in: try JSONNode(parsing: outcome.output)) == [])
            }
        }
        let statuses = Set(
            try self.references(try Program.run(["resolve", archive, "--format", "json"])).map { $0["status"]?.string })
        #expect(statuses == ["found", "missing", "ambiguous", "blocked", "remote", "embedded"])
        let failed = try Program.run(["resolve", folder.path + "/none.zip", "--format", "json"])
        #expect(failed.code == 3)
        #expect(schema.violations(in: try JSONNode(parsing: failed.output)) == [])
        #expect(!schema.violations(in: ["schemaVersion": 1]).isEmpty)
    }

    // MARK: Folders that are named

    @Test func aFolderThatIsNotThereIsAnErrorOfUsage() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.document(), to: "a.dae")
        let (none, file) = (folder.path + "/none", path)
        for (option, value) in [
            ("--root", ""), ("--package", "arm="), ("--model", "arm="), ("--fuel-cache", ""),
        ] {
            for (named, reason) in [(none, "No such file or directory"), (file, "is no folder")] {
                let outcome = try Program.run(["resolve", path, option, value + named])
                #expect(outcome.code == 64, "\(option)")
                #expect(outcome.errors.contains(option) && outcome.errors.contains(named), "\(outcome.errors)")
                #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            }
            #expect(try Program.run(["inspect", path, option, value + none]).code == 64)
            #expect(try Program.run(["resolve", path, option, value + folder.path]).code == 0)
        }
    }

    @Test func aTraceTellsTheFolderThatWasLookedIn() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.document(), to: "a.dae")
        try folder.write(Self.png, to: "arm/tex/a.png")
        try folder.write(Self.png, to: "share/leg/tex/a.png")
        let arm = folder.path + "/arm"
        let found = try Program.run(["resolve", path, "package://arm/tex/a.png", "--package", "arm=\(arm)"])
        #expect(found.code == 0)
        #expect(found.text.contains("hit  package arm: tex/a.png  (in \(arm))"), "\(found.text)")
        let missed = try Program.run(
            ["resolve", path, "package://leg/tex/b.png"], environment: ["AMENT_PREFIX_PATH": folder.path])
        #expect(missed.code == 1)
        #expect(
            missed.text.contains("miss  AMENT_PREFIX_PATH: share/leg/tex/b.png  (in \(folder.path))"), "\(missed.text)")
        let report = try references(
            try Program.run(
                ["resolve", path, "package://leg/tex/a.png", "--format", "json"],
                environment: ["AMENT_PREFIX_PATH": folder.path]))
        #expect(report.first?["outside"] == .bool(true))
        #expect(report.first?["root"] == .string("AMENT_PREFIX_PATH"))
        #expect(report.first?["trace"]?.elements.last?["folder"] == .string(folder.path))
    }

    // MARK: Links

    @Test func anInstallationMadeOfLinksIsReadWhereItsFilesAre() throws {
        // As `colcon build --symlink-install` makes it.
        let folder = try TemporaryFolder()
        let source = folder.path + "/src/robot"
        let text = Self.document(images: Self.image("skin", "../materials/skin.png"))
        try folder.write(text, to: "src/robot/meshes/a.dae")
        try folder.write(Self.png, to: "src/robot/materials/skin.png")
        try folder.write("<package><name>robot</name></package>", to: "src/robot/package.xml")
        try folder.write("x", to: "install/share/robot/meshes/x")
        let path = folder.path + "/install/share/robot/meshes/a.dae"
        try link(path, to: source + "/meshes/a.dae")
        let outcome = try Program.run(["resolve", path])
        #expect(outcome.code == 0, "\(outcome.text)")
        #expect(outcome.text.contains("found ../materials/skin.png as written (exact, certain)"))
        #expect(outcome.errors.contains("[RESOURCE_DOCUMENT_LINK]"), "\(outcome.errors)")
        let inspection = try JSONNode(parsing: try Program.run(["inspect", "--format", "json", path]).output)
        #expect(inspection["findings"]?["hints"] == 1)
    }

    /// For a stranger's document: neither `../` nor a link leads out, and no folder of this machine is looked at.
    @Test(arguments: ["inspect", "resolve", "convert"])
    func nothingLeadsOutOfABundleThatIsTakenForTheWhole(_ command: String) throws {
        let folder = try TemporaryFolder()
        let images = ["own.png", "../up.png", "link.png", "package://arm/arm.png"].enumerated()
            .map { Self.image("i\($0.offset)", $0.element) }.joined()
        let path = try folder.write(Self.document(images: images), to: "m/a.dae")
        for name in ["m/own.png", "up.png", "arm/arm.png"] { try folder.write(Self.png, to: name) }
        try link(folder.path + "/m/link.png", to: folder.path + "/up.png")
        let arguments =
            command == "convert"
            ? ["convert", path, "-o", folder.path + "/o.glb", "--force"] : [command, path, "--format", "json"]
        let package = ["--package", "arm=\(folder.path)/arm"]
        let open = try Program.run(arguments + package)
        let closed = try Program.run(arguments + package + ["--bundle-only"])
        let rooted = try Program.run(arguments + ["--bundle-only", "--root", folder.path])
        switch command {
        case "resolve":
            #expect(try references(open).map { $0["status"] } == ["found", "found", "found", "found"])
            #expect(try references(closed).map { $0["status"] } == ["found", "blocked", "missing", "missing"])
            #expect(try references(rooted).map { $0["status"] } == ["found", "found", "missing", "found"])
        case "inspect":
            let images = try JSONNode(parsing: closed.output)["images"]?.elements ?? []
            #expect(images.map { $0["status"] } == ["found", "blocked", "missing", "missing"])
        default:  // texts
            #expect(closed.code == 0, "\(closed.errors)")
        }
    }

    @Test func linkedTexturesAreFoundAndToldWhereTheyLeadOut() throws {
        let folder = try TemporaryFolder()
        let images = ["near", "far", "gone"].map { Self.image($0, "\($0).png") }.joined()
        let path = try folder.write(Self.document(images: images), to: "m/a.dae")
        try folder.write(Self.png, to: "m/tex/own.png")
        try folder.write(Self.png, to: "other/skin.png")
        try link(folder.path + "/m/near.png", to: "tex/own.png")
        try link(folder.path + "/m/far.png", to: folder.path + "/other/skin.png")
        try link(folder.path + "/m/gone.png", to: "nowhere.png")
        let outcome = try Program.run(["resolve", path])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("near.png: found near.png as written (exact, certain)"), "\(outcome.text)")
        #expect(outcome.text.contains("far.png: found outside the bundle, far.png as written (exact, certain)"))
        #expect(outcome.text.contains("link, not followed  gone.png"))
        let asFolder = try Program.run(["resolve", folder.path + "/m"])
        #expect(asFolder.text.contains("3 missing"), "\(asFolder.text)")
        #expect(asFolder.text.contains("link, not followed  near.png"))
    }
}
