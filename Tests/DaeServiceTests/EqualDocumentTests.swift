import DaeCore
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// Equal documents of several names are kept once, and each is read under its own.
@Suite struct EqualDocumentTests {
    private let folder: TemporaryFolder
    private static let places = ["", "/inspect", "/tree", "/files", "/report"]

    init() throws { folder = try TemporaryFolder() }

    private func encoded(_ name: String) -> String { PercentEncoding.encode(name) }

    @Test func aDocumentOfSeveralNamesIsReadUnderEach() throws {
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
        #expect(try service.parsed(ready: names.count).count == names.count)
        #expect(models.allSatisfy { $0.starts(with: "glTF".utf8) && $0 == models[0] })
        // The bytes are kept once, and what was read of them goes with the last that has them.
        func kept(_ below: String) throws -> [String] {
            try Repository.files(below: folder.path).filter { $0.hasPrefix(below) && $0.utf8.count > 60 }
        }
        #expect(try kept("blobs/").count == 1)
        for kind in ["state.json", "inspect.json", "model.glb"] {
            #expect(try kept("results/").filter { $0.hasSuffix("/\(kind)") }.count == names.count, "\(kind)")
        }
        for id in ids { #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204) }
        #expect(try kept("blobs/") + kept("results/") == [])
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
        #expect(try lacks("Number one.dae"))
        #expect(try !lacks("Self one.dae"))
        #expect(try service.parsed(ready: 5).count == 4)
    }

    @Test func aDocumentThatFailsIsReportedUnderEachName() throws {
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
        #expect(outcomes.count == 2)
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
}
