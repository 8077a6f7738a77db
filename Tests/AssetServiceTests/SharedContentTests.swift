import TestSupport
import Testing

/// Equal bytes are stored and read once, whichever way they come.
@Suite struct SharedContentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The assets that a worker began to read the scene of, by all events from the first on.
    private func parsed(_ service: ServiceProcess, ready count: Int) throws -> Set<String> {
        let connection = try LoopbackClient(port: service.port)
        connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var (line, parsed, ready): ([UInt8], Set<String>, Set<String>) = ([], [], [])
        while ready.count < count, case let byte = connection.read(1), !byte.isEmpty {
            if byte[0] != UInt8(ascii: "\n") {
                line += byte
                continue
            }
            defer { line = [] }
            guard line.starts(with: "data: ".utf8) else { continue }
            let event = try JSONNode(parsing: Array(line.dropFirst(6)))
            guard let asset = event["asset"]?.string else { continue }
            if event["data"]?["state"] == "parsing" { parsed.insert(asset) }
            if event["data"]?["state"] == "ready" { ready.insert(asset) }
        }
        #expect(ready.count == count)
        return parsed
    }

    @Test func linksToEqualBytesAreReadOnceBesideTheirUpload() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let server = try FaultServer(["/a.zip": FaultResource(walker), "/b.zip": FaultResource(walker)])
        let service = try ServiceProcess(
            data: folder.path, ["--workers", "3", "--allow-addresses", "127.0.0.0/8"])
        let client = service.client
        // At once, so that two are at work when the bytes are known to be equal.
        let ids = [try client.add(url: server.url("/a.zip")), try client.add(url: server.url("/b.zip"))]
        let states = try ids.map { try client.outcome(of: $0) }
        #expect(states[0] == states[1])
        #expect(states[0]["state"] == "ready")
        #expect(states[0]["attempt"] == 1)
        let upload = try client.send("POST", "/v1/assets?name=c.zip", body: walker)
        #expect(upload.json?["state"] == states[0])
        let linked = try client.outcome(of: client.add(url: server.url("/a.zip")))
        #expect(linked == states[0])
        #expect(try parsed(service, ready: 4).count == 1)
        #expect(try Repository.files(below: folder.path + "/blobs").filter { $0.utf8.count > 60 }.count == 1)
    }

    @Test func aLinkToBytesThatWereUploadedIsNotRead() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        let service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let first = try service.client.outcome(of: service.client.upload(walker, name: "walker.zip"))
        let id = try service.client.add(url: server.url("/a.zip"))
        #expect(try service.client.outcome(of: id) == first)
        #expect(try !parsed(service, ready: 2).contains(id))
        #expect(try service.client.get("/v1/assets/\(id)/original").body == walker)
    }

    @Test func aDocumentIsReadUnderEachOfItsNames() throws {
        let document = try Repository.fixture("documents/asset.dae")
        let server = try FaultServer(["/linked.dae": FaultResource(document)])
        let service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let client = service.client
        let names = ["first.dae", "second.dae", "third.zip", "fourth", "linked.dae"]
        var ids: [String] = []
        for name in names.dropLast() { ids.append(try client.upload(document, name: name)) }
        ids.append(try client.add(url: server.url("/linked.dae")))
        for (id, name) in zip(ids, names) {
            let others = names.filter { $0 != name }
            let state = try client.outcome(of: id)
            let file = try #require(try client.get("/v1/assets/\(id)/files").json?["files"]?.elements.first)
            #expect(file["path"]?.string == name)
            #expect(try client.get("/v1/assets/\(id)/files/\(name)").body == document)
            #expect(state["state"]?.string == "ready")
            for path in ["", "/inspect", "/tree", "/files", "/report"] {
                let text = try client.get("/v1/assets/\(id)\(path)").text
                for other in others { #expect(!text.contains(other), "\(name)\(path): \(other)") }
            }
        }
        // The bytes are kept once, and what was read of them goes with the last that has them.
        func kept(_ below: String) throws -> [String] {
            try Repository.files(below: folder.path).filter { $0.hasPrefix(below) && $0.utf8.count > 60 }
        }
        #expect(try kept("blobs/").count == 1)
        #expect(try kept("results/").filter { $0.hasSuffix("/state.json") }.count == names.count)
        for id in ids { #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204) }
        #expect(try kept("blobs/") + kept("results/") == [])
    }

    @Test func whatIsNoArchiveIsSaidSoByItsOwnName() throws {
        let service = try ServiceProcess(data: folder.path)
        for (name, other) in [("one.zip", "two.zip"), ("two.zip", "one.zip")] {
            let id = try service.client.upload(Array("no model".utf8), name: name)
            let state = try service.client.outcome(of: id)
            #expect(state["message"]?.string?.contains(name) == true)
            #expect(try !service.client.get("/v1/assets/\(id)/inspect").text.contains(other))
        }
    }

    @Test func aReportBearsTheNameOfItsAsset() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let service = try ServiceProcess(data: folder.path)
        for name in ["walker.zip", "other.zip"] {
            let id = try service.client.upload(walker, name: name)
            _ = try service.client.outcome(of: id)
            for form in ["json", "sarif", "md"] {
                let report = try service.client.get("/v1/assets/\(id)/report?format=\(form)").text
                #expect(report.contains(name), "\(form)")
                #expect(!report.contains(name == "other.zip" ? "walker.zip" : "other.zip"), "\(form)")
            }
        }
    }
}
