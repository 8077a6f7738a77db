import TestSupport
import Testing

/// Every refusal says what was wrong, in one form.
@Suite struct ProblemTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
    }

    private func expectProblem(_ answer: ServiceClient.Answer, _ status: Int, at path: String, code: String? = nil) {
        #expect(answer.status == status)
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(answer.json?["status"]?.number == Double(status))
        #expect(answer.json?["type"] == "about:blank")
        #expect(answer.json?["title"]?.string?.isEmpty == false)
        #expect(answer.json?["detail"]?.string?.isEmpty == false)
        #expect(answer.json?["instance"]?.string == path)
        #expect(answer.json?["code"]?.string == code)
        #expect(answer.json?["requestId"]?.string == answer.headers["x-request-id"])
    }

    @Test func whatIsNotThereIsSaidSo() throws {
        for path in ["/nix", "/v1", "/v1/nix", "/v1/assets/a/b/c"] {
            expectProblem(try client.get(path), 404, at: path)
        }
        for path in ["/v1/assets/none", "/v1/assets/none/inspect", "/v1/assets/a%20b/report"] {
            expectProblem(try client.get(path), 404, at: path, code: "ASSET_UNKNOWN")
        }
    }

    @Test func aMethodThatIsNotThereIsAnsweredWithThoseThatAre() throws {
        let put = try client.send("PUT", "/v1/assets")
        expectProblem(put, 405, at: "/v1/assets")
        #expect(put.headers["allow"] == "DELETE, GET, HEAD, POST")
        let get = try client.get("/v1/assets/none/actions")
        expectProblem(get, 405, at: "/v1/assets/none/actions")
        #expect(get.headers["allow"] == "POST")
        #expect(try client.send("HEAD", "/v1/assets/none/actions").status == 405)
        #expect(try client.send("HEAD", "/healthz").status == 200)
        #expect(try client.send("DELETE", "/healthz").headers["allow"] == "GET, HEAD")
    }

    @Test func aBodyThatIsNoOrderLeavesNothing() throws {
        for body in [
            "", "{", "[]", "null", #"{"url":5}"#, #"{"name":"a"}"#, "\u{FEFF}{}", #"{"url":"http://a/\ud800"}"#,
        ] {
            let answer = try client.send(
                "POST", "/v1/assets", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            expectProblem(answer, 400, at: "/v1/assets")
        }
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func aBodyThatIsTooLargeIsSaidSo() throws {
        let answer = try client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"],
            body: Array("{\"url\":\"http://example.org/\(String(repeating: "a", count: 70_000))\"}".utf8))
        expectProblem(answer, 413, at: "/v1/assets")
    }

    @Test func anActionThatIsNotAllowedNamesThoseThatAre() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let id = try client.upload(walker, name: "walker.zip")
        _ = try client.outcome(of: id)
        let path = "/v1/assets/\(id)/actions"
        for action in ["retry", "cancel"] {
            let answer = try client.send("POST", path, body: Array(#"{"version":1,"action":"\#(action)"}"#.utf8))
            expectProblem(answer, 409, at: path, code: "ASSET_ACTION_REFUSED")
            #expect(answer.json?["availableActions"] == ["convert", "remove"])
        }
        let links = try client.get("/v1/assets/\(id)").json?["links"]
        #expect(links?["convert"]?.string == path)
        #expect(links?["remove"]?.string == "/v1/assets/\(id)")
        #expect(links?["retry"] == nil && links?["cancel"] == nil)
    }

    @Test func aModelIsMadeAheadWhenItIsAskedFor() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let id = try client.upload(walker, name: "walker.zip")
        _ = try client.outcome(of: id)
        let answer = try client.send(
            "POST", "/v1/assets/\(id)/actions", body: Array(#"{"version":1,"action":"convert"}"#.utf8))
        #expect(answer.status == 202)
        #expect(answer.json?["state"]?["state"] == "ready")
        let isMade = try service.waits {
            try Repository.files(below: folder.path + "/results").contains { $0.hasSuffix("/model.glb") }
        }
        #expect(isMade)
        #expect(try client.get("/v1/assets/\(id)/model.glb").body.starts(with: "glTF".utf8))
        let removed = try client.send(
            "POST", "/v1/assets/\(id)/actions", body: Array(#"{"version":1,"action":"remove"}"#.utf8))
        #expect(removed.status == 204)
    }
}
