import Glibc
import TestSupport
import Testing

@testable import AssetService
@testable import Daedalus

/// Equal documents are read once, and each is told of by its own name.
@Suite struct NeutralNameTests {
    private let folder: TemporaryFolder
    private static let places = ["", "/inspect", "/tree", "/files", "/report"]

    init() throws { folder = try TemporaryFolder() }

    private func encoded(_ name: String) -> String { PercentText.encoded(name) }

    @Test func aDocumentOfSeveralNamesIsReadOnce() throws {
        let document = try Repository.fixture("documents/asset.dae")
        let server = try FaultServer(["/linked.dae": FaultResource(document)])
        let service = try ServiceProcess(
            data: folder.path, ["--workers", "3", "--allow-addresses", "127.0.0.0/8"])
        let client = service.client
        let names = ["first.dae", "linked.dae", "second (2).dae", "größer.dae"]
        var ids = [try client.upload(document, name: names[0]), try client.add(url: server.url("/linked.dae"))]
        for name in names.dropFirst(2) { ids.append(try client.upload(document, name: encoded(name))) }
        var models: [[UInt8]] = []
        for (id, name) in zip(ids, names) {
            let others = names.filter { $0 != name }
            let state = try client.outcome(of: id)
            #expect(state["state"]?.string == "ready")
            let file = try #require(try client.get("/v1/assets/\(id)/files").json?["files"]?.elements.first)
            #expect(file["path"]?.string == name)
            #expect(try client.get("/v1/assets/\(id)/files/\(encoded(name))").body == document)
            let inspect = try #require(try client.get("/v1/assets/\(id)/inspect").json)
            #expect(inspect["bundle"]?["scene"]?["path"]?.string == name)
            for path in Self.places {
                let text = try client.get("/v1/assets/\(id)\(path)").text
                for other in others { #expect(!text.contains(other), "\(name)\(path): \(other)") }
            }
            models.append(try client.get("/v1/assets/\(id)/model.glb").body)
        }
        #expect(try service.parsed(ready: names.count).count == 1)
        #expect(models.allSatisfy { $0.starts(with: "glTF".utf8) && $0 == models[0] })
        // The bytes and what was read of them are kept once, and go with the last that has them.
        func kept(_ below: String) throws -> [String] {
            try Repository.files(below: folder.path).filter { $0.hasPrefix(below) && $0.utf8.count > 60 }
        }
        #expect(try kept("blobs/").count == 1)
        for kind in ["state.json", "inspect.json", "model.glb"] {
            #expect(try kept("results/").filter { $0.hasSuffix("/\(kind)") }.count == 1, "\(kind)")
        }
        for id in ids { #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204) }
        #expect(try kept("blobs/") + kept("results/") == [])
    }

    /// One whose name has a quote is read under it: all that is said of the two is equal but for that.
    @Test(arguments: try NeutralNameTests.documents()) func whatIsSaidIsThatOfItsOwnReading(_ path: String) throws {
        let service = try ServiceProcess(data: folder.path)
        let client = service.client
        let document = try Repository.fixture("documents/" + path)
        let neutral = try client.upload(document, name: "model.dae")
        let first = try client.outcome(of: neutral)
        let own = try client.upload(document, name: encoded("mod'el.dae"))
        #expect(try client.outcome(of: own)["state"] == first["state"])
        for place in ["/inspect", "/tree", "/files"] {
            let answer = try client.get("/v1/assets/\(own)\(place)")
            let said = try client.get("/v1/assets/\(neutral)\(place)")
            #expect(answer.status == said.status)
            guard answer.status == 200 else { continue }
            #expect(!said.text.contains("mod'el"))
            #expect(answer.text.replacing("mod'el.dae", with: "model.dae") == said.text, "\(place) of \(path)")
        }
        let states = try [own, neutral].map { try client.get("/v1/assets/\($0)").json?["state"]?["message"]?.string }
        #expect(states[0]?.replacing("mod'el.dae", with: "model.dae") == states[1])
    }

    private static func documents() throws -> [String] {
        let all = try Repository.files(below: Repository.root + "/Fixtures/documents").filter { $0.hasSuffix(".dae") }
            .sorted()
        guard Repository.environment("DAE_TEST_FULL") != "1" else { return all }
        let chosen = [
            "asset.dae", "broken-references.dae", "fails-cut-off.dae", "fails-not-collada.dae", "image-paths.dae",
        ]
        return all.filter(chosen.contains)
    }

    @Test func aDocumentThatNamesItselfIsReadByThatName() throws {
        let document = Array(
            """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified></asset>
            <library_nodes><node id="n" name="inner"/></library_nodes>
            <library_visual_scenes><visual_scene id="s"><node><instance_node url="Self%20one.dae#n"/></node></visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#s"/></scene>
            </COLLADA>
            """.utf8)
        let service = try ServiceProcess(data: folder.path)
        let client = service.client
        func lacks(_ name: String) throws -> Bool {
            let id = try client.upload(document, name: encoded(name))
            #expect(try client.outcome(of: id)["state"] == "ready")
            let text = try client.get("/v1/assets/\(id)/inspect").text
            return text.contains("REF_EXTERNAL_UNRESOLVED")
        }
        #expect(try !lacks("Self one.dae"))
        #expect(try lacks("another.dae"))
        #expect(try lacks("a third.dae"))
        // The same end: it may be the one that is meant.
        #expect(try lacks("Number one.dae"))
        #expect(try !lacks("Self one.dae"))
        #expect(try service.parsed(ready: 5).count == 2)
    }

    /// What cannot be read is read once, too.
    @Test func aDocumentThatFailsIsReadOnce() throws {
        let document = try Repository.fixture("documents/fails-cut-off.dae")
        let service = try ServiceProcess(data: folder.path)
        let client = service.client
        for name in ["one.dae", "two.dae"] {
            let id = try client.upload(document, name: name)
            let state = try client.outcome(of: id)
            #expect(state["state"] == "failed")
            #expect(state["place"]?["entry"]?.string ?? name == name)
            #expect(try client.get("/v1/assets/\(id)/inspect").json?["source"]?["input"]?.string == name)
        }
        let outcomes = try Repository.files(below: folder.path + "/results").filter { $0.hasSuffix("/state.json") }
        #expect(outcomes.count == 1)
    }

    /// Names that are found by other letters, and images, whose ending is looked past.
    @Test(arguments: [
        ("STRASSE.dae", "stra\u{DF}e.dae", "other.dae"), ("\u{FB01}le.dae", "file.dae", "other.dae"),
        ("wood.jpg", "wood.png", "other.png"), ("wood", "wood.png", "other.png"), ("self.dae", "self.dae", "other.dae"),
    ])
    func whatMayBeTheFileItselfIsLookedFor(_ reference: String, _ name: String, _ other: String) throws {
        let document = Array(
            """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified></asset>
            <library_images><image id="i"><init_from>\(reference)</init_from></image></library_images>
            </COLLADA>
            """.utf8)
        let (shared, alone) = (try ServiceProcess(data: folder.path), try TemporaryFolder())
        let first = try shared.client.upload(document, name: other)
        _ = try shared.client.outcome(of: first)
        let second = try shared.client.upload(document, name: encoded(name))
        let state = try shared.client.outcome(of: second)
        let service = try ServiceProcess(data: alone.path)
        let own = try service.client.upload(document, name: encoded(name))
        #expect(try service.client.outcome(of: own) == state)
        let text = try service.client.get("/v1/assets/\(own)/inspect").text
        #expect(try shared.client.get("/v1/assets/\(second)/inspect").text == text)
    }

    @Test func namesOfOtherKindsAreReadByThemselves() throws {
        let document = try Repository.fixture("documents/asset.dae")
        let service = try ServiceProcess(data: folder.path)
        let client = service.client
        for name in ["one.zip", "two", "a\"b.dae", "c%d.dae"] {
            let id = try client.upload(document, name: encoded(name))
            #expect(try client.outcome(of: id)["state"] == "ready")
            let file = try #require(try client.get("/v1/assets/\(id)/files").json?["files"]?.elements.first)
            #expect(file["path"]?.string == name)
        }
    }

    @Test func whatIsRemovedIsMadeAgain() throws {
        let document = try Repository.fixture("documents/asset.dae")
        let service = try ServiceProcess(data: folder.path)
        let client = service.client
        let ids = try ["a.dae", "b.dae"].map { try client.upload(document, name: $0) }
        for id in ids { _ = try client.outcome(of: id) }
        let before = try client.get("/v1/assets/\(ids[1])/inspect").text
        for file in try Repository.files(below: folder.path) where file.hasSuffix("/inspect.json") {
            #expect(unlink("\(folder.path)/\(file)") == 0)
        }
        #expect(try client.get("/v1/assets/\(ids[1])/inspect").text == before)
        #expect(before.contains("b.dae") && !before.contains("a.dae"))
    }

    // MARK: - Words

    private func mentions(_ text: String) throws -> FileMentions {
        let ending = try #require(FileEnding("x.dae"))
        return try #require(FileMentions(in: Array(text.utf8), ending: ending, except: "own0.dae"))
    }

    @Test func filesThatATextNamesAreFound() throws {
        let found = try mentions(#"a "b/Cube.DAE#x" my%20model.dae two\ncrate.dae own0.dae (1).dae pct%2Edae"#)
        for name in [
            "cube.dae", "CUBE.dae", "x cube.dae", "model.dae", "my model.dae", "crate.dae", "(1).dae", "pct.dae",
        ] {
            #expect(found.mayName(name), "\(name)")
        }
        for name in ["a.dae", "own0.dae", "b.dae", "x.dae", "cube2.dae"] { #expect(!found.mayName(name), "\(name)") }
        #expect(found.mayName("no ending"))
        #expect(found.mayName("gr\u{F6}\u{DF}er.dae"))
        #expect(try mentions("\u{FB01}le.dae").mayName("file.dae"))
        #expect(try !mentions("\u{FB01}le/a.dae").mayName("file.dae"))
        #expect(try !mentions("own0.dae, \u{FB01}le.png").mayName("gr\u{F6}\u{DF}er.dae"))
    }

    @Test func tooManyFilesAreNotKept() throws {
        let text = (0..<1100).map { "f\($0).dae" }.joined(separator: " ")
        let ending = try #require(FileEnding("x.dae"))
        #expect(FileMentions(in: Array(text.utf8), ending: ending, except: "x.dae") == nil)
    }

    @Test func onlyPlainNamesStandForAnother() throws {
        let digest = SHA256Digest(hashing: [])
        func neutral(_ name: String) -> NeutralName? {
            NeutralName(digest: digest, name: name, key: ContentKey(digest: digest, name: name, file: "/dev/null"))
        }
        for name in ["a.dae", "größer (2).DAE", "日本.dae", "a.b.dae", "a.xml"] {
            let found = try #require(neutral(name), "\(name)")
            #expect(found.named(Array("x \(found.name) \(found.name)y".utf8)) == Array("x \(name) \(name)y".utf8))
        }
        for name in [
            "a", ".dae", "a.png", "a.zip", "a'b.dae", "a\\b.dae", "a%20.dae", "a.x y",
            String(repeating: "a", count: 101) + ".dae",
        ] {
            #expect(neutral(name) == nil, "\(name)")
        }
        #expect(neutral("a.dae")?.name == neutral("b.dae")?.name)
        #expect(neutral("a.dae")?.name != neutral("a.DAE")?.name)
    }
}
