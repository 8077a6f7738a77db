import Daedalus
import TestSupport
import Testing

/// The removal of many assets by one request.
@Suite struct MassRemovalTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
        for number in 0..<7 {
            let label = number < 5 ? "old" : "new"
            let answer = try client.send(
                "POST", "/v1/assets?name=\(number).dae&label=age=\(label)", body: Array("\(number)".utf8))
            try #require(answer.status == 201)
        }
    }

    private func count() throws -> Int? { try client.get("/v1/assets").json?["assets"]?.elements.count }

    @Test func whatFitsGoesInSteps() throws {
        let first = try client.send("DELETE", "/v1/assets?label=age=old&limit=3")
        #expect(first.status == 200)
        #expect(first.json == ["removed": 3, "more": true])
        let second = try client.send("DELETE", "/v1/assets?label=age=old&limit=3")
        #expect(second.json == ["removed": 2, "more": false])
        #expect(try client.send("DELETE", "/v1/assets?label=age=old&limit=3").json == ["removed": 0, "more": false])
        #expect(try count() == 2)
        #expect(service.logged("action").count { $0["action"] == "remove" } == 5)
        let blobs = folder.path + "/blobs"
        _ = try eventually("the end of their bytes") {
            try Repository.files(below: blobs).count { $0.utf8.count > 60 } == 2 ? true : nil
        }
    }

    @Test func filtersAreAllHeeded() throws {
        #expect(try client.send("DELETE", "/v1/assets?label=age=old&name=6.dae&limit=9").json?["removed"] == 0)
        #expect(try client.send("DELETE", "/v1/assets?label=age=old&name=4.dae&limit=9").json?["removed"] == 1)
        #expect(try client.send("DELETE", "/v1/assets?state=ready&label=age&limit=9").json?["removed"] == 0)
        #expect(try count() == 6)
    }

    @Test func anOrderThatIsNotClearRemovesNothing() throws {
        for query in [
            "", "limit=5", "name=dae", "name=dae&limit=0", "name=dae&limit=1001", "name=dae&limit=x",
            "lable=age=old&limit=5", "name=dae&limit=5&stat=failed", "state=gone&limit=5", "label=A&limit=5",
            "name=&limit=5", "name=a%00&limit=5", "sha256=12&limit=5",
            "name=dae&name=zz&limit=5", "name=dae&limit=1&limit=5",
        ] {
            #expect(try client.send("DELETE", "/v1/assets?\(query)").status == 400, "\(query)")
        }
        #expect(try count() == 7)
    }

    @Test func theClientLibraryDoesTheSame() async throws {
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        let added = try await client.add(
            Array("x".utf8), name: "x y.dae", labels: ["age": "a b&c=d"], expires: 4_102_444_800_000)
        #expect(added.labels == ["age": "a b&c=d"])
        #expect(added.expires == 4_102_444_800_000)
        #expect(try await client.assets(labels: ["age": "a b&c=d"]).assets.map(\.name) == ["x y.dae"])
        let removal = try await client.removeAll(labels: ["age": "old"], limit: 4)
        #expect(removal == (4, true))
        #expect(try await client.removeAll(labels: ["age": "old"], state: "ready").removed == 0)
        #expect(try await client.assets().assets.count == 4)
    }
}
