// ls, cat, unpack and resolve, as a user calls them.

import TestSupport
import Testing

@Suite struct BundleCommandTests {
    private static let chair = "Fixtures/bundles/chair.zip"

    private func archive(_ files: [(String, [UInt8])], in folder: TemporaryFolder, name: String = "a.zip") throws
        -> String
    {
        var zip = ZipBuilder()
        for (path, bytes) in files { zip.addDeflated(path, bytes) }
        return try folder.write(zip.bytes(), to: name)
    }

    /// Others can read what stands on a command line.
    @Test func aPasswordComesFromTheEnvironmentOrAFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("open sesame\n", to: "secret")
        let entry = "Fixtures/archives/aes256.zip!/lines.txt"
        let given = try Program.run(["cat", entry, "--password", "open sesame"])
        #expect(given.code == 0 && !given.output.isEmpty)
        #expect(try Program.run(["cat", entry, "--password-file", file]).output == given.output)
        #expect(
            try Program.run(["cat", entry], environment: ["DAE_PASSWORD": "open sesame"]).output == given.output)
        // The command line's over the environment's.
        let wrong = try Program.run(
            ["cat", entry, "--password", "wrong"], environment: ["DAE_PASSWORD": "open sesame"])
        #expect(wrong.code == 4)
        let none = try Program.run(["cat", entry, "--password-file", folder.path + "/gone"])
        #expect(none.code == 64 && none.errors.contains("--password-file: "), "\(none.errors)")
        #expect(try Program.run(["cat", entry, "--password", "a", "--password-file", file]).code == 64)
    }

    private static let document = Array(
        """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
        <library_images><image id="a"><init_from>textures/a.png</init_from></image>
        <image id="b"><init_from>C:\\models\\gone.png</init_from></image></library_images>
        <library_visual_scenes><visual_scene id="s"><node/></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>
        """.utf8)

    // MARK: ls

    @Test func filesAreListedWithWhatTheyAre() throws {
        let folder = try TemporaryFolder()
        let path = try archive(
            [
                ("m/scene.dae", Self.document), ("m/textures/a.png", [1, 2, 3]), ("m/textures/unused.png", [4]),
                ("__MACOSX/m/._scene.dae", [5]), ("readme.txt", [6]), ("inner.zae", [7]),
            ], in: folder)
        let outcome = try Program.run(["ls", "--format", "json", path])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let listing = try JSONNode(parsing: outcome.output)
        let roles = listing.at("entries").array.map { "\($0.at("path").string ?? "") \($0.at("role").string ?? "")" }
        #expect(
            roles == [
                "m/scene.dae scene", "m/textures/a.png texture", "m/textures/unused.png unused",
                "__MACOSX/m/._scene.dae junk", "readme.txt unused", "inner.zae archive",
            ])
        #expect(listing.at("entries").array.first?.at("method").string == "deflate")

        let text = try Program.run(["ls", path])
        #expect(text.text.contains("6 files, "))
        let names = try Program.run(["ls", "--names", path])
        #expect(names.text.contains("texture  m/textures/unused.png"))
    }

    @Test func aBundleWithoutASceneIsListed() throws {
        let folder = try TemporaryFolder()
        let path = try archive([("a.txt", [1])], in: folder)
        let outcome = try Program.run(["ls", path])
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("a.txt"))
        #expect(outcome.errors.isEmpty)
    }

    @Test func whatIsOddAboutAnArchiveIsSaidBesideItsList() throws {
        let folder = try TemporaryFolder()
        let path = try archive([("a.txt", [1]), ("A.txt", [2])], in: folder)
        let outcome = try Program.run(["ls", path])
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("[ARCHIVE_CASE_COLLISION]"), "\(outcome.errors)")
        #expect(try Program.run(["ls", "--format", "json", path]).errors.isEmpty)
    }

    @Test func aDocumentOutOfAnArchiveFindsNothingBesideTheArchive() throws {
        let folder = try TemporaryFolder()
        let path = try archive([("scene.dae", Self.document)], in: folder)
        _ = try folder.write(SampleBytes.png, to: "textures/a.png")
        for source in [path, path + "!/scene.dae", path + "!/scene.dae!/"] {
            let outcome = try Program.run(["resolve", source, "textures/a.png"])
            #expect(outcome.code == 1, "\(source): \(outcome.text)")
        }
    }

    @Test func anArchiveInAnArchiveIsListedByItsAddress() throws {
        let folder = try TemporaryFolder()
        var inner = ZipBuilder()
        inner.add("deep.dae", Self.document)
        let path = try archive([("inner.zae", inner.bytes())], in: folder)
        let outcome = try Program.run(["ls", path + "!/inner.zae!/"])
        #expect(outcome.text.contains("deep.dae"))
        #expect(try Program.run(["inspect", path + "!/inner.zae!/deep.dae"]).code == 0)
        #expect(try Program.run(["ls", path + "!/none.zae!/"]).code == 3)
    }

    // MARK: cat

    @Test func aFileIsWrittenAsItIs() throws {
        let listed = try JSONNode(parsing: try Program.run(["ls", "--format", "json", Self.chair]).output)
        let entries = listed.at("entries").array
        #expect(entries.count == 3)
        for entry in entries {
            let path = try #require(entry.at("path").string)
            let outcome = try Program.run(["cat", "\(Self.chair)!/\(path)"])
            #expect(outcome.code == 0)
            #expect(outcome.output.count == entry.at("bytes").int)
        }
        let document = "Fixtures/documents/minimal.dae"
        if let bytes = try? Repository.fixture("documents/minimal.dae") {
            #expect(try Program.run(["cat", document]).output == bytes)
        }
    }

    @Test func aBrokenFileIsNeverPutInPlace() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.addDeflated("a.txt", Array("text".utf8)) { $0.crc ^= 1 }
        let path = try folder.write(zip.bytes(), to: "a.zip")
        let output = folder.path + "/out.txt"
        let outcome = try Program.run(["cat", path + "!/a.txt", "-o", output])
        #expect(outcome.code == 4)
        #expect(outcome.errors.contains("[ARCHIVE_INVALID]"), "\(outcome.errors)")
        #expect(try Repository.files(below: folder.path) == ["a.zip"])
    }

    @Test func anArchiveItselfIsNoFile() throws {
        let outcome = try Program.run(["cat", Self.chair])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("name an entry"))
        #expect(outcome.output.isEmpty)
    }

    // MARK: unpack

    @Test func aBundleIsUnpackedWholeOrNotAtAll() throws {
        let folder = try TemporaryFolder()
        let target = folder.path + "/chair"
        let outcome = try Program.run(["unpack", Self.chair, "-d", target])
        #expect(outcome.code == 0)
        #expect(outcome.text == "3 files, 17 kB in \(target)\n")
        #expect(try Program.run(["inspect", target]).code == 0)
        let again = try Program.run(["unpack", Self.chair, "-d", target])
        #expect(again.code == 73)
        #expect(again.errors.contains("is there already"))
        #expect(try Program.run(["unpack", Self.chair, "-d", target, "--force", "--quiet"]).output.isEmpty)
        #expect(try Program.run(["unpack", Self.chair]).code == 64)
        #expect(try Repository.files(below: folder.path).count { !$0.hasPrefix("chair") } == 0)
    }

    // MARK: resolve

    @Test func everyReferenceIsTracedAndAMissingOneIsAFailure() throws {
        let folder = try TemporaryFolder()
        let path = try archive([("m/scene.dae", Self.document), ("m/textures/a.png", [1, 2, 3])], in: folder)
        let outcome = try Program.run(["resolve", path])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("textures/a.png: found m/textures/a.png as written (exact, certain)"))
        #expect(outcome.text.contains("gone.png: missing"))
        #expect(outcome.text.hasSuffix("2 references, 1 missing\n"))

        let missing = try Program.run(["resolve", "--missing", "--format", "json", path])
        #expect(missing.code == 1)
        let references = try JSONNode(parsing: missing.output).at("references").array
        #expect(references.map { $0.at("status").string } == ["missing"])
        #expect((references.first?.at("trace").array.count ?? 0) > 2)
    }

    @Test func oneReferenceIsFollowedAsIfItStoodInTheScene() throws {
        let folder = try TemporaryFolder()
        let path = try archive([("m/scene.dae", Self.document), ("m/textures/a b.png", [1, 2, 3])], in: folder)
        let found = try Program.run(["resolve", path, "textures/a%20b.png"])
        #expect(found.code == 0)
        #expect(found.text.contains("found m/textures/a b.png percent-decoded (percentDecoded"))
        #expect(try Program.run(["resolve", path, "other.png"]).code == 1)
        #expect(try Program.run(["resolve", path, "../../../etc/passwd"]).code == 1)
        #expect(try Program.run(["resolve", path, "http://example.org/a.png"]).code == 0)
    }

    @Test func aLoneDocumentFindsWhatLiesAroundIt() throws {
        let folder = try TemporaryFolder()
        let text = String(decoding: Self.document, as: UTF8.self)
            .split(separator: "textures/a.png", maxSplits: 1).joined(separator: "../materials/a.png")
        _ = try folder.write(Array("<package><name>robot</name></package>".utf8), to: "robot/package.xml")
        _ = try folder.write(SampleBytes.png, to: "robot/materials/a.png")
        _ = try folder.write(SampleBytes.png, to: "elsewhere/gone.png")
        let path = try folder.write(Array(text.utf8), to: "robot/meshes/scene.dae")
        let outcome = try Program.run(["resolve", path])
        #expect(outcome.text.contains("found ../materials/a.png"), "\(outcome.text)")
        let named = try Program.run([
            "resolve", path, "package://other/gone.png", "--package", "other=\(folder.path)/elsewhere",
        ])
        #expect(named.code == 0, "\(named.text)\(named.errors)")
        #expect(try Program.run(["resolve", path, "package://other/gone.png"]).code == 1)
        let above = try Program.run(["resolve", path, "../../elsewhere/gone.png"])
        #expect(above.code == 0, "\(above.text)")
        #expect(try Program.run(["resolve", path, "--root", folder.path + "/elsewhere"]).code == 3)
    }
}

private enum SampleBytes {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
}

extension JSONNode {
    fileprivate func at(_ key: String) -> JSONNode {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    fileprivate var array: [JSONNode] { if case .array(let items) = self { items } else { [] } }
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var int: Int? { if case .number(let number) = self { Int(number) } else { nil } }
}
