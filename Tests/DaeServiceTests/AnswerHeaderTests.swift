import TestSupport
import Testing

/// What every answer bears, and how often a client may ask for one.
@Suite struct AnswerHeaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyAnswerKeepsBrowsersCareful() throws {
        let service = try ServiceProcess(data: folder.path)
        for path in ["/", "/v1/assets", "/healthz", "/nowhere", "/v1/assets/none"] {
            let headers = try service.client.get(path).headers
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["x-frame-options"] == "DENY")
            #expect(headers["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(headers["cache-control"] == "no-store")
            #expect(headers["access-control-allow-origin"] == nil)
            #expect(headers["x-request-id"]?.utf8.count == 32)
        }
    }

    @Test func aClientsOwnIDComesBackAndStandsInTheLog() throws {
        let service = try ServiceProcess(data: folder.path)
        let answer = try service.client.get("/v1/assets/none", headers: ["X-Request-Id": "my-request.1"])
        #expect(answer.headers["x-request-id"] == "my-request.1")
        #expect(answer.json?["requestId"] == "my-request.1")
        #expect(service.logText.contains("\"request\":\"my-request.1\""))
        for text in ["short", "with blank in it", String(repeating: "x", count: 129), "<script>alert(1)"] {
            let own = try service.client.get("/healthz", headers: ["X-Request-Id": text]).headers["x-request-id"]
            #expect(own != text)
            #expect(own?.utf8.count == 32)
        }
    }

    @Test func pagesOfNamedSitesAloneMayAsk() throws {
        let service = try ServiceProcess(data: folder.path, ["--cors-origin", "https://viewer.example"])
        let origin = ["Origin": "https://viewer.example"]
        let asked = try service.client.send(
            "OPTIONS", "/v1/assets",
            headers: origin.merging(["Access-Control-Request-Method": "POST"]) { first, _ in first })
        #expect(asked.status == 204)
        #expect(asked.headers["access-control-allow-origin"] == "https://viewer.example")
        #expect(asked.headers["access-control-allow-methods"] == "GET, HEAD, POST, PUT, PATCH, DELETE")
        #expect(asked.headers["access-control-allow-headers"]?.contains("Authorization") == true)
        let answer = try service.client.get("/v1/assets", headers: origin)
        #expect(answer.status == 200)
        let shown = answer.headers["access-control-expose-headers"] ?? ""
        for name in ["Asset-Location", "Link", "Idempotency-Replayed", "Upload-Metadata", "Tus-Max-Size"] {
            #expect(shown.split(separator: ", ").contains { $0 == name }, "\(name)")
        }
        #expect(answer.headers["access-control-allow-origin"] == "https://viewer.example")
        #expect(answer.headers["vary"] == "Origin")
        // Errors, too: a page could not read them otherwise.
        let failed = try service.client.get("/v1/assets/none", headers: origin)
        #expect(failed.headers["access-control-allow-origin"] == "https://viewer.example")
        let other = try service.client.get("/v1/assets", headers: ["Origin": "https://evil.example"])
        #expect(other.status == 403)
        #expect(other.headers["access-control-allow-origin"] == nil)
        #expect(try service.client.get("/v1/assets").headers["access-control-allow-origin"] == nil)
    }

    @Test func whoAsksTooOftenIsToldWhenToComeBack() throws {
        let service = try ServiceProcess(data: folder.path, ["--rate", "1", "--burst", "3"])
        var answers: [ServiceClient.Answer] = []
        for _ in 0..<40 where answers.last?.status != 429 { answers.append(try service.client.get("/v1/assets")) }
        let last = try #require(answers.last)
        #expect(answers.count > 3)
        #expect(last.status == 429)
        #expect(last.headers["retry-after"] == "1")
        #expect(last.headers["content-type"] == "application/problem+json")
        #expect(service.logText.contains("more requests than it may"))
        // Supervisors come from the same address as the clients.
        for path in ["/healthz", "/readyz"] { #expect(try service.client.get(path).status == 200) }
    }

    @Test(arguments: ["page.html", "picture.svg"])
    func uploadedMarkupIsInert(_ name: String) throws {
        let service = try ServiceProcess(data: folder.path)
        let page = Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8)
        var zip = ZipBuilder()
        zip.add("model.dae", try Repository.fixture("documents/asset.dae"))
        zip.add(name, page)
        let id = try service.client.upload(zip.bytes(), name: "a.zip")
        let lone = try service.client.upload(page, name: name)
        _ = try service.client.outcome(of: id)
        _ = try service.client.outcome(of: lone)
        for path in ["/v1/assets/\(id)/files/\(name)", "/v1/assets/\(lone)/original"] {
            let answer = try service.client.get(path)
            #expect(answer.status == 200)
            #expect(answer.body == page)
            #expect(answer.headers["content-type"] == "application/octet-stream")
            #expect(answer.headers["content-disposition"]?.hasPrefix("attachment;") == true)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["content-security-policy"] == "sandbox; default-src 'none'")
        }
    }
}
