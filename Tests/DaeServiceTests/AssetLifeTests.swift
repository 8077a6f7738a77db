import Glibc
import TestSupport
import Testing

/// One asset's way through the service, as a client sees it.
@Suite struct AssetLifeTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
    }

    /// The files of contents that are kept.
    private func contents() throws -> [String] {
        try Repository.files(below: folder.path + "/blobs").filter { $0.utf8.count > 60 }
    }

    @Test func itSaysThatItLivesAndStopsWhenTold() throws {
        #expect(try client.get("/healthz").status == 200)
        #expect(try client.get("/readyz").status == 200)
        #expect(service.end(SIGTERM) == 0)
    }

    /// Of an address with user name and password, also by a service that was killed while it fetched it.
    @Test func anAddressKeepsWhatLetsItIn() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker), "/b.zip": FaultResource(walker + [0])])
        server.play([.stall(after: 100, until: gate)], at: "/b.zip")
        defer { gate.open() }
        let options = ["--allow-addresses", "127.0.0.0/8"]
        let data = try TemporaryFolder()
        var second = try ServiceProcess(data: data.path, options)
        let first = try second.client.add(url: server.url("/a.zip", host: "ada:pw@127.0.0.1"))
        #expect(try second.client.outcome(of: first)["state"] == "ready")
        let asset = try second.client.get("/v1/assets/\(first)").text
        #expect(asset.contains(server.url("/a.zip")) && !asset.contains("pw@"))
        let interrupted = try second.client.add(url: server.url("/b.zip", host: "ada:pw@127.0.0.1"))
        _ = try eventually("its request") { server.requests.contains { $0.target == "/b.zip" } ? true : nil }
        second.end(SIGKILL)
        gate.open()
        second = try ServiceProcess(data: data.path, options)
        _ = try second.client.outcome(of: interrupted)
        let sent = server.requests.map { request in
            request.headers.first { $0.name == "authorization" }?.value
        }
        #expect(sent.count >= 3 && Set(sent) == ["Basic YWRhOnB3"])
    }

    @Test func anUploadBecomesReady() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let answer = try client.send("POST", "/v1/assets?name=walker.zip", body: walker)
        #expect(answer.status == 201)
        let id = try #require(answer.json?["id"]?.string)
        #expect(answer.headers["location"] == "/v1/assets/\(id)")
        #expect(answer.json?["name"] == "walker.zip")
        #expect(answer.json?["sha256"]?.string?.utf8.count == 64)
        #expect(answer.json?["state"]?["version"] == 1)

        let state = try client.outcome(of: id)
        #expect(state["state"] == "ready")
        #expect(state["attempt"] == 1)
        #expect(state["summary"]?["triangles"] == 140)
        #expect(try client.get("/v1/assets?state=ready").json?["assets"]?.elements.count == 1)
        #expect(try client.get("/v1/assets?state=failed").json?["assets"]?.elements.count == 0)
    }

    @Test func equalBytesAreReadOnce() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let first = try client.outcome(of: client.upload(walker, name: "walker.zip"))
        // Known results need no worker: the answer itself is ready.
        let answer = try client.send("POST", "/v1/assets?name=again.zip", body: walker)
        #expect(answer.json?["state"] == first)
        #expect(answer.json?["name"] == "again.zip")
    }

    @Test func whatIsNoModelFailsWithItsCode() throws {
        let state = try client.outcome(of: client.upload(Array("no model".utf8), name: "a.zip"))
        #expect(state["state"] == "failed")
        #expect(state["code"]?.string?.isEmpty == false)
    }

    @Test func privateAddressesAreRefused() throws {
        let answer = try client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"],
            body: Array("{\"url\":\"http://127.0.0.1:\(service.port)/healthz?sig=SECRET\"}".utf8))
        #expect(answer.status == 400)
        #expect(answer.json?["code"] == "DOWNLOAD_BLOCKED_ADDRESS")
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
        #expect(!service.logText.contains("SECRET"))
    }

    @Test(arguments: ["file:///etc/passwd", "/etc/passwd", "ftp://example.org/a.zip", "", "-"])
    func onlyTheWebIsASource(_ url: String) throws {
        let answer = try client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"],
            body: Array("{\"url\":\"\(url)\"}".utf8))
        #expect(answer.status == 400)
        #expect(answer.json?["code"] == "DOWNLOAD_URL_INVALID")
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func aRemovedAssetIsGoneWithItsBytes() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let (first, second) = (
            try client.upload(walker, name: "walker.zip"), try client.upload(walker, name: "walker.zip")
        )
        _ = try client.outcome(of: first)
        _ = try client.outcome(of: second)
        #expect(try client.send("DELETE", "/v1/assets/\(first)").status == 204)
        #expect(try client.get("/v1/assets/\(first)").status == 404)
        #expect(try contents().count == 1)
        #expect(try client.send("DELETE", "/v1/assets/\(second)").status == 204)
        #expect(try contents().isEmpty)
        #expect(try Repository.files(below: folder.path + "/results").filter { $0.hasSuffix(".json") }.isEmpty)
        #expect(try client.send("DELETE", "/v1/assets/\(second)").status == 404)
    }
}
