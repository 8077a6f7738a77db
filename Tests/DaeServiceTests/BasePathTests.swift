import TestSupport
import Testing

@testable import DaeService

/// Below a path of its own the service answers as it does at the root, and every address that it gives leads back to it.
@Suite struct BasePathTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path, ["--base-path", "/models/3d"])
        client = service.client
    }

    /// Every text of an answer that is an address of the service's.
    private func addresses(_ node: JSONNode) -> [String] {
        switch node {
        case .string(let text): text.contains("/v1/") ? [text] : []
        case .array(let elements): elements.flatMap(addresses)
        case .object(let members): members.values.flatMap(addresses)
        case .null, .bool, .number: []
        }
    }

    private func get(_ path: String) throws -> ServiceClient.Answer {
        let connection = try client.connected()
        let bytes = connection.exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").bytes
        return ServiceClient.answer(bytes)
    }

    private func send(_ method: String, _ path: String, _ headers: String, _ body: [UInt8]) throws
        -> ServiceClient.Answer
    {
        let connection = try client.connected()
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
        connection.send(Array((head + headers + "\r\n").utf8) + body)
        return ServiceClient.answer(connection.rest().bytes)
    }

    @Test func everyAddressInAnAnswerLeadsBack() throws {
        let base = "/models/3d"
        let walker = try Repository.fixture("bundles/walker.zip")
        let added = try send("POST", "\(base)/v1/assets?name=walker.zip", "", walker)
        #expect(added.status == 201)
        let location = try #require(added.headers["location"])
        #expect(location.hasPrefix(base + "/v1/assets/"))
        let id = try #require(added.json?["id"]?.string)
        _ = try client.outcome(of: id)
        _ = try send("POST", "\(base)/v1/assets?name=other.zip", "", walker)
        let signed = try send("POST", location + "/links", "", Array(#"{"files":["walker.dae"]}"#.utf8))
        let page = try get("\(base)/v1/assets?limit=1")
        let asset = try get(location)
        let problem = try get("\(base)/v1/assets/none")
        #expect(problem.status == 404)
        var found: [String] = []
        for answer in [added, signed, page, asset, problem] { found += addresses(try #require(answer.json)) }
        #expect(found.count > 20)
        #expect(found.allSatisfy { $0.hasPrefix(base + "/v1/") }, "\(found.filter { !$0.hasPrefix(base) })")
        for link in addresses(try #require(signed.json)) { #expect(try get(link).status == 200, "\(link)") }
        let next = try #require(page.headers["link"])
        #expect(next.hasPrefix("<\(base)/v1/assets?"))
        let model = try get(location + "/model.glb")
        #expect(model.status == 200)
        #expect(model.headers["link"]?.contains("<\(base)/v1/assets/\(id)/model.usdz>") == true)
        #expect(model.headers["link"]?.contains("</v1") == false)

        let begun = try send("POST", "\(base)/v1/uploads", "Tus-Resumable: 1.0.0\r\nUpload-Length: 3\r\n", [])
        let upload = try #require(begun.headers["location"])
        #expect(upload.hasPrefix(base + "/v1/uploads/"))
        let tus = "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
        let done = try send("PATCH", upload, tus, Array("abc".utf8))
        #expect(done.headers["asset-location"]?.hasPrefix(base + "/v1/assets/") == true)
        #expect(addresses(try #require(try get(upload).json)).allSatisfy { $0.hasPrefix(base) })
        #expect(try get("\(base)/v1/openapi.json").json?["servers"]?.elements.first?["url"]?.string == base + "/")
    }

    /// A proxy may take the path off before it hands a request on.
    @Test func withoutItTheSameIsAnsweredAndSignaturesHold() throws {
        let base = "/models/3d"
        let id = try client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try client.outcome(of: id)
        let run = try ServiceProcess.run(["token", "add", "reader", "--data", folder.path])
        let bearer = "Authorization: Bearer \(run.text.dropLast())\r\n"
        let answer = try send("POST", "/v1/assets/\(id)/links", bearer, Array("{}".utf8))
        let link = try #require(answer.json?["links"]?["original"]?.string)
        #expect(try get(link).status == 200)
        #expect(try get(String(link.dropFirst(base.count))).status == 200)
        #expect(try get(link + "0").status == 403)
        #expect(try get("\(base)/v1/assets/\(id)").status == 401)
        for path in ["/healthz", "/readyz", base + "/healthz", base + "/readyz"] {
            #expect(try get(path).status == 200)
        }
    }

    @Test func addressesOnThePageNeedTheSlash() throws {
        let bare = try get("/models/3d?a=b")
        #expect(bare.status == 308)
        #expect(bare.headers["location"] == "/models/3d/?a=b")
        #expect(bare.headers["x-content-type-options"] == "nosniff")
        #expect(try get("/models/3d/").status == 200)
        #expect(try get("/models/3dx/v1/assets").status == 404)
        #expect(try get("/models/3d/models/3d/v1/assets").status == 404)
    }

    @Test func theCommandLineFindsItThere() throws {
        let walker = Repository.root + "/Fixtures/bundles/walker.zip"
        let server = "http://127.0.0.1:\(service.port)/models/3d"
        let output = folder.path + "/walker.glb"
        let run = try Program.run(["convert", walker, output, "--server", server])
        #expect(run.code == 0, "\(run.errors)")
        #expect(try Repository.bytes(at: output).starts(with: "glTF".utf8))
    }

    @Test(arguments: [
        "models", "/models/", "//models", "/v1", "/healthz", "/a/../b", "/a b", "/a?b", "", "/ä",
        "/" + String(repeating: "a", count: 200),
    ])
    func whatIsNoPathIsRefused(_ text: String) throws {
        #expect(!BasePath.canBe(text))
        guard !text.isEmpty else { return }
        let run = try ServiceProcess.run(["serve", "--base-path", text, "--data", folder.path + "/none"])
        #expect(run.code == 64)
        #expect(run.errors.contains("--base-path is '"))
    }
}
