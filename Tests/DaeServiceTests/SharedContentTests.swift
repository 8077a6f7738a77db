import TestSupport
import Testing

/// Equal bytes are stored and read once, whichever way they come.
@Suite struct SharedContentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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
        #expect(try service.parsed(ready: 4).count == 1)
        #expect(try Repository.files(below: folder.path + "/blobs").filter { $0.utf8.count > 60 }.count == 1)
    }

    @Test func aLinkToBytesThatWereUploadedIsNotRead() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        let service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let first = try service.client.outcome(of: service.client.upload(walker, name: "walker.zip"))
        let id = try service.client.add(url: server.url("/a.zip"))
        #expect(try service.client.outcome(of: id) == first)
        #expect(try !service.parsed(ready: 2).contains(id))
        #expect(try service.client.get("/v1/assets/\(id)/original").body == walker)
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
