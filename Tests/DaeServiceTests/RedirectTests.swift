import Daedalus
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// Clients that are sent to the store for what lies there.
@Suite(.enabled(if: S3Server.isInstalled, "scripts/tools/fetch-object-store fetches an S3 server"))
struct RedirectTests {
    private let folder: TemporaryFolder
    private let store: S3Server
    private let service: ServiceProcess
    private let client: ServiceClient
    private let id: String
    private let walker: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        store = try S3Server.shared()
        walker = try Repository.fixture("bundles/walker.zip")
        service = try ServiceProcess(
            data: folder.path,
            [
                "--store", "s3://\(try store.makeBucket())/models", "--s3-endpoint", store.endpoint,
                "--results-redirect", "on", "--access-log", "on", "--metrics-port", "0",
            ],
            environment: ["AWS_ACCESS_KEY_ID": S3Server.accessKey, "AWS_SECRET_ACCESS_KEY": S3Server.secretKey])
        client = service.client
        id = try client.upload(walker, name: "w%C3%A4lker.zip")
        _ = try client.outcome(of: id)
    }

    /// What the store answers to whoever has an address.
    private func fetch(_ address: String, _ headers: String = "") throws -> ServiceClient.Answer {
        let path = address.dropFirst(store.endpoint.utf8.count)
        let connection = try LoopbackClient(port: store.port)
        connection.send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(store.port)\r\n\(headers)Connection: close\r\n\r\n")
        return ServiceClient.answer(connection.rest().bytes)
    }

    private func location(_ path: String) throws -> String {
        let answer = try client.get("/v1/assets/\(id)/\(path)")
        #expect(answer.status == 307 && answer.headers["cache-control"] == "no-store", "\(path): \(answer.text)")
        let address = try #require(answer.headers["location"])
        #expect(address.hasPrefix(store.endpoint + "/") && address.contains("X-Amz-Expires=60&"))
        return address
    }

    @Test func theStoreGivesWhatTheServiceWould() throws {
        let files = try client.get("/v1/assets/\(id)/files").json?["files"]?.elements.compactMap { $0["path"]?.string }
        let entry = try #require(files?.first { !$0.contains(" ") })
        for path in [
            "original", "model.glb", "model.glb?compact=1", "model.usdz", "changes", "thumbnail.png?size=64", "report",
            "report?format=md", "files/\(entry)",
        ] {
            let there = try fetch(location(path))
            let here = try client.get("/v1/assets/\(id)/\(path)\(path.contains("?") ? "&" : "?")redirect=off")
            #expect([there.status, here.status] == [200, 200], "\(path)")
            #expect(there.body == here.body && !here.body.isEmpty, "\(path)")
            for name in ["content-type", "content-disposition"] {
                #expect(there.headers[name] == here.headers[name], "\(path): \(name)")
            }
        }
        #expect(try fetch(location("original")).headers["content-disposition"]?.contains("w%C3%A4lker.zip") == true)
        let part = try fetch(location("original"), "Range: bytes=100-199\r\n")
        #expect(part.status == 206 && part.body == Array(walker[100..<200]))
        // An address of another object or of other headers, or for longer, nobody signed.
        let address = try location("original")
        for (old, new) in [("Expires=60", "Expires=600"), ("/blobs/", "/results/"), ("octet-stream", "html")] {
            #expect(try fetch(address.replacing(old, with: new)).status != 200 || !address.contains(old), "\(old)")
        }
        #expect(service.logged("request").contains { $0["status"]?.number == 307 })
        #expect(!service.logText.contains("X-Amz-Signature"))
        let figures = try #require(service.metrics).get("/metrics").text
        #expect(figures.contains("route=\"/v1/assets/{id}/original\",status=\"307\""))
    }

    @Test func whatHasToComeFromTheServiceDoes() async throws {
        let path = "/v1/assets/\(id)/model.glb"
        let head = try client.send("HEAD", path)
        #expect(head.status == 200 && head.headers["content-length"] != nil)
        let tag = try #require(head.headers["etag"])
        #expect(try client.get(path, headers: ["If-None-Match": tag]).status == 304)
        let rest = try client.get(path, headers: ["Range": "bytes=4-", "If-Range": tag])
        #expect(rest.status == 206)
        // Of bytes as they were before: the store could not tell.
        let whole = try client.get(path, headers: ["Range": "bytes=4-", "If-Range": "\"of before\""])
        #expect(whole.status == 200 && whole.body.starts(with: "glTF".utf8))
        // Scripts of pages, which the store would have to allow, and this page's pictures.
        #expect(try client.get(path, headers: ["Origin": "http://localhost"]).status == 200)
        #expect(try client.get("/v1/assets/\(id)/thumbnail.png?size=64&redirect=off").status == 200)
        #expect(try client.get(path + "?redirect=on").status == 400)
        // What has the asset's name put into it.
        for name in ["inspect", "tree", "files"] { #expect(try client.get("/v1/assets/\(id)/\(name)").status == 200) }
        let target = folder.path + "/a.glb"
        let asset = try #require(AssetID(id))
        let library = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        try await library.model(asset, to: target)
        #expect(try Repository.bytes(at: target) == client.get(path + "?redirect=off").body)
        #expect(try await library.thumbnail(asset, size: 64).starts(with: [0x89]))
    }
}
