import Glibc
import TestSupport
import Testing

/// Who may do what once a token was made.
@Suite struct TokenTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
    }

    private func daed(_ words: String...) throws -> Program.Outcome {
        try Program.run(words + ["--data", folder.path], program: ServiceProcess.program)
    }

    private func token(_ name: String, _ scope: String) throws -> [String: String] {
        let run = try daed("token", "add", name, "--scope", scope)
        try #require(run.code == 0, "\(run.errors)")
        return ["Authorization": "Bearer " + run.text.dropLast()]
    }

    @Test func fromTheFirstTokenOnEveryRequestNeedsOne() throws {
        let client = service.client
        #expect(try client.get("/v1/assets").status == 200)
        let reader = try token("reader", "read")
        for path in ["/v1/assets", "/v1/events", "/v1/tokens", "/nowhere"] {
            let answer = try client.get(path)
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"] == "Bearer realm=\"daed\"")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
        for path in ["/healthz", "/readyz"] { #expect(try client.get(path).status == 200) }
        for path in ["/v1/assets", "/"] { #expect(try client.get(path, headers: reader).status == 200) }
        // Nowhere but in its header.
        let text = try #require(reader["Authorization"]?.dropFirst(7))
        for path in ["/v1/assets?token=\(text)", "/v1/assets?access_token=\(text)"] {
            #expect(try client.get(path).status == 401)
        }
        #expect(try client.get("/v1/assets", headers: ["Cookie": "token=\(text)"]).status == 401)
        let wrong = String(text.dropLast()) + (text.hasSuffix("0") ? "1" : "0")
        let refused = try client.get("/v1/assets", headers: ["Authorization": "Bearer \(wrong)"])
        #expect(refused.status == 401)
        #expect(refused.headers["www-authenticate"]?.contains("invalid_token") == true)
        #expect(!service.logText.contains(text))
        #expect(!service.logText.contains(wrong))
        #expect(service.logText.contains("\"refused\""))
    }

    @Test func aScopeAllowsWhatItSays() throws {
        let client = service.client
        let (reader, writer) = (try token("reader", "read"), try token("writer", "write"))
        let admin = try token("admin", "admin")
        let body = Array("no model".utf8)
        let refused = try client.send("POST", "/v1/assets", headers: reader, body: body)
        #expect(refused.status == 403)
        #expect(refused.headers["www-authenticate"]?.contains("scope=\"write\"") == true)
        #expect(try client.get("/v1/assets", headers: reader).json?["assets"]?.elements.isEmpty == true)

        let added = try client.send("POST", "/v1/assets", headers: writer, body: body)
        #expect(added.status == 201)
        let id = try #require(added.json?["id"]?.string)
        #expect(try client.send("DELETE", "/v1/assets/\(id)", headers: reader).status == 403)
        #expect(try client.send("POST", "/v1/assets/\(id)/actions", headers: reader, body: body).status == 403)
        #expect(try client.get("/v1/tokens", headers: writer).status == 403)
        #expect(try client.get("//v1//tokens", headers: writer).status != 200)
        let names = try client.get("/v1/tokens", headers: admin).json?["tokens"]?.elements.map { $0["name"]?.string }
        #expect(names == ["admin", "reader", "writer"])
        #expect(try client.send("DELETE", "/v1/assets/\(id)", headers: writer).status == 204)
        #expect(service.logText.contains("has not the scope"))
        #expect(service.logText.contains("\"client\":\"reader\""))
    }

    @Test func aRevokedTokenEndsAtOnceAndOpensNothing() throws {
        let client = service.client
        let (first, admin) = (try token("first", "write"), try token("admin", "admin"))
        #expect(try daed("token", "add", "first").code == 1)
        #expect(try daed("token", "revoke", "first").code == 0)
        #expect(try client.get("/v1/assets", headers: first).status == 401)
        #expect(try daed("token", "revoke", "first").code == 3)
        #expect(try daed("token", "list").text == "admin  admin\n")
        #expect(try client.send("DELETE", "/v1/tokens/nobody", headers: admin).status == 404)
        #expect(try client.send("DELETE", "/v1/tokens/admin", headers: admin).status == 204)
        #expect(try client.get("/v1/assets", headers: admin).status == 401)
        #expect(try client.get("/v1/assets").status == 401)
        #expect(try daed("token", "add", "first").code == 0)
    }

    @Test func nothingOfATokenIsKept() throws {
        let text = try #require(try token("reader", "read")["Authorization"]?.dropFirst(7))
        service.end()
        for name in ["daed.sqlite", "daed.sqlite-wal"] {
            let bytes = (try? Repository.bytes(at: folder.path + "/" + name)) ?? []
            #expect(bytes.firstRange(of: Array(text.suffix(64).utf8)) == nil)
            var facts = stat()
            if stat(folder.path + "/" + name, &facts) == 0 { #expect(facts.st_mode & 0o077 == 0) }
        }
    }

    // MARK: - Beyond loopback

    @Test func aPublicServiceIsKnownByItsNames() throws {
        let header = try token("reader", "read")
        let open = try ServiceProcess(
            data: folder.path, ["--host", "0.0.0.0", "--public-host", "models.example"])
        func status(_ host: String, _ more: String = "") throws -> String {
            let connection = try LoopbackClient(port: open.port)
            let answer = connection.exchange(
                "GET /v1/assets HTTP/1.1\r\nHost: \(host)\r\n\(more)Connection: close\r\n\r\n")
            return String(answer.text.prefix(12).suffix(3))
        }
        let authorization = "Authorization: \(header["Authorization"] ?? "")\r\n"
        #expect(try status("models.example", authorization) == "200")
        #expect(try status("Models.Example:443", authorization + "Origin: https://models.example:443\r\n") == "200")
        #expect(try status("models.example", authorization + "Origin: https://evil.example\r\n") == "403")
        #expect(try status("192.0.2.1", authorization) == "200")
        #expect(try status("evil.example", authorization) == "421")
        #expect(try status("models.example") == "401")
        #expect(open.logText.contains("not known as 'evil.example'"))
    }
}
