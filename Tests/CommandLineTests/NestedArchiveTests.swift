// Archives in archives as a user addresses them, and archives of which one part cannot be read.

import TestSupport
import Testing

@Suite struct NestedArchiveTests {
    private static let document = Array(
        """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
        <library_images><image id="a"><init_from>textures/a.png</init_from></image></library_images>
        <library_visual_scenes><visual_scene id="s"><node name="inner"/></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>
        """.utf8)

    private static var inner: ZipBuilder {
        var zip = ZipBuilder()
        zip.addDeflated("model.dae", document)
        zip.add("textures/a.png", [0x89, 0x50, 0x4E, 0x47])
        return zip
    }

    /// An archive of these files, and beside the inner archive's texture one of the same name outside.
    private func write(_ files: [(String, [UInt8])], to folder: TemporaryFolder) throws -> String {
        var zip = ZipBuilder()
        for (path, bytes) in files { zip.addDeflated(path, bytes) }
        return try folder.write(zip.bytes(), to: "outer.zip")
    }

    // MARK: Addresses

    @Test func theNameOfAnArchiveMeansWhatIsInItButForCat() throws {
        let folder = try TemporaryFolder()
        let path = try write([("inner.zae", Self.inner.bytes()), ("scene.dae", Self.document)], to: folder)
        for address in [path + "!/inner.zae", path + "!/inner.zae!/"] {
            let inspected = try JSONNode(parsing: Program.run(["inspect", "--format", "json", address]).output)
            #expect(inspected["bundle"]?["entries"]?.number == 2, "\(address)")
            #expect(inspected["bundle"]?["scene"]?["path"]?.string == "model.dae")
            #expect(inspected["images"]?.elements.first?["path"]?.string == "textures/a.png")
            let listed = try JSONNode(parsing: Program.run(["ls", "--format", "json", address]).output)
            #expect(listed["entries"]?.elements.map { $0["role"]?.string } == ["scene", "texture"])
            #expect(try Program.run(["tree", address]).text.contains("inner"))
            #expect(try Program.run(["resolve", address]).text.contains("found textures/a.png"))
            #expect(try Program.run(["validate", address]).text.contains("model.dae:"))
            // The source is the file that was given, whatever in it is read.
            for source in [inspected["source"], listed["source"]] {
                #expect(source?["kind"]?.string == "zip")
                #expect(source?["bytes"]?.number == Double(try Repository.bytes(at: path).count))
            }
        }
        #expect(try Program.run(["cat", path + "!/inner.zae"]).output == Self.inner.bytes())
        let unpacked = try Program.run(["unpack", path + "!/inner.zae", "-d", folder.path + "/out"])
        #expect(unpacked.code == 0)
        #expect(try Repository.files(below: folder.path + "/out") == ["inner.zae"])
    }

    @Test func theOnlyArchiveOfABundleWithoutADocumentIsEntered() throws {
        let folder = try TemporaryFolder()
        var middle = ZipBuilder()
        middle.add("inner.zae", Self.inner.bytes())
        let path = try write([("middle.zip", middle.bytes()), ("read.me", [1])], to: folder)
        let outcome = try Program.run(["inspect", "--format", "json", path])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let inspected = try JSONNode(parsing: outcome.output)
        let found = inspected["findings"]?["messages"]?.elements.first { $0["code"]?.string == "BUNDLE_NESTED_ARCHIVE" }
        #expect(found?["severity"]?.string == "info")
        #expect(
            found?["args"]?.elements.map { $0["value"]?.string }
                == ["middle.zip!/inner.zae", "middle.zip!/inner.zae!/model.dae"])
        #expect(inspected["images"]?.elements.first?["status"]?.string == "found")
        let hash = try Program.run([path], program: "sha256sum").text
        #expect(inspected["source"]?["sha256"]?.string.map { hash.hasPrefix($0) } == true)
        #expect(inspected["source"]?["bytes"]?.number == Double(try Repository.bytes(at: path).count))
        #expect(try Program.run(["resolve", path]).code == 0)
        #expect(
            try Program.run(["inspect", path]).text.contains("middle.zip!/inner.zae!/model.dae   the only document"))
        #expect(try Program.run(["ls", path]).text.contains("archive  middle.zip"))
    }

    @Test func ofSeveralArchivesEachIsTakenAndNamedAsItIsAddressed() throws {
        let folder = try TemporaryFolder()
        let path = try write([("a.zae", Self.inner.bytes()), ("b.zip", Self.inner.bytes())], to: folder)
        for command in [["inspect", "--folders", "bundle"], ["convert", "-o", folder.path + "/x.glb"]] {
            let outcome = try Program.run(command + [path])
            #expect(outcome.code == 4)
            #expect(outcome.errors.contains("name one of them: \(path)!/a.zae, \(path)!/b.zip [BUNDLE_NO_SCENE]"))
        }
        let both = try Program.run(["inspect", "--format", "json", path])
        #expect(both.code == 0, "\(both.errors)")
        let values = try both.text.split(separator: "\n").map { try JSONNode(parsing: Array($0.utf8)) }
        let names = values.map { $0["source"]?["input"]?.string }
        #expect(names == [path + "!/a.zae!/model.dae", path + "!/b.zip"])
        let resolved = try Program.run(["resolve", path])
        #expect(resolved.code == 0 && resolved.text.split(separator: "found textures/a.png").count == 3)
        #expect(try Program.run(["inspect", path + "!/b.zip"]).code == 0)
    }

    @Test func anEntryOfStandardInputIsNamedLikeThatOfAFile() throws {
        let folder = try TemporaryFolder()
        let path = try write([("inner.zae", Self.inner.bytes()), ("a.txt", [65])], to: folder)
        #expect(try Program.run(["cat", "-!/a.txt"], input: path).text == "A")
        #expect(try Program.run(["cat", "-!/inner.zae!/model.dae"], input: path).output == Self.document)
        let listed = try Program.run(["ls", "-!/inner.zae", "--format", "json"], input: path)
        #expect(try JSONNode(parsing: listed.output)["source"]?["input"]?.string == "-!/inner.zae")
        #expect(try Program.run(["resolve", "-!/inner.zae", "textures/a.png"], input: path).code == 0)
        #expect(try Program.run(["ls", "-", "-!/a.txt"], input: path).code == 64)
        #expect(try Program.run(["ls", "-x"], input: path).code == 64)
    }

    @Test func anArchiveWithoutAnEntryIsToldHowToNameOne() throws {
        let folder = try TemporaryFolder()
        let path = try write([("inner.zae", Self.inner.bytes())], to: folder)
        for (address, example) in [
            ("", "!/inner.zae"), ("!/", "!/inner.zae"), ("!/inner.zae!/", "!/inner.zae!/model.dae"),
        ] {
            let outcome = try Program.run(["cat", path + address])
            #expect(outcome.code == 64)
            #expect(outcome.errors.hasSuffix("name an entry, such as \(path)\(example)\n"), "\(outcome.errors)")
        }
    }

    // MARK: Parts that cannot be read

    private func mixed(_ folder: TemporaryFolder, scene change: (inout ZipBuilder.Entry) -> Void = { _ in }) throws
        -> String
    {
        var zip = ZipBuilder()
        zip.addDeflated("model.dae", Self.document, change)
        zip.add("textures/a.png", "content") { $0.flags = 1 }
        zip.add("odd.bin", "content") { $0.method = 98 }
        return try folder.write(zip.bytes(), to: "mixed.zip")
    }

    @Test func whatCannotBeReadIsListedAndRefusedAlone() throws {
        let folder = try TemporaryFolder()
        let path = try mixed(folder)
        let listed = try Program.run(["ls", path])
        #expect(listed.code == 0)
        #expect(listed.text.contains("stored, encrypted"))
        #expect(listed.text.contains("method 98"))
        #expect(try Program.run(["cat", path + "!/model.dae"]).output == Self.document)
        #expect(try Program.run(["inspect", path]).code == 0)

        let secret = try Program.run(["cat", path + "!/textures/a.png"])
        #expect(secret.code == 4)
        #expect(secret.errors.contains("its password is needed; see --password [ARCHIVE_ENCRYPTED]"))
        let odd = try Program.run(["cat", path + "!/odd.bin"])
        #expect(odd.code == 4)
        #expect(odd.errors.contains("compressed by method 98"))
        #expect(!odd.errors.contains("--password"))

        let unpacked = try Program.run(["unpack", path, "-d", folder.path + "/out"])
        #expect(unpacked.code == 4)
        #expect(unpacked.errors.contains("textures/a.png"))
        #expect(unpacked.errors.contains("odd.bin"))
        #expect(try Repository.files(below: folder.path) == ["mixed.zip"])
    }

    @Test func aSceneThatIsEncryptedIsTheFailure() throws {
        let folder = try TemporaryFolder()
        let path = try mixed(folder) { $0.flags = 1 }
        let outcome = try Program.run(["inspect", path])
        #expect(outcome.code == 4)
        #expect(outcome.errors.contains("see --password [ARCHIVE_ENCRYPTED]"), "\(outcome.errors)")
        let failure = try JSONNode(parsing: Program.run(["inspect", "--format", "json", path]).output)["failure"]
        #expect(failure?["code"]?.string == "ARCHIVE_ENCRYPTED")
        #expect(failure?["entry"]?.string == "model.dae")
        #expect(failure?["message"]?.string?.contains("--") == false)
    }
}
