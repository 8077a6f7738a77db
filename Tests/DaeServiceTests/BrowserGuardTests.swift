import TestSupport
import Testing

/// Who may use a service that asks for no token.
@Suite struct BrowserGuardTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
    }

    @Test func pagesOfOtherSitesAreTurnedAway() throws {
        let body = Array("bytes".utf8)
        let foreign = try service.client.send(
            "POST", "/v1/assets", headers: ["Origin": "https://example.org"], body: body)
        #expect(foreign.status == 403)
        #expect(foreign.headers["content-type"] == "application/problem+json")
        #expect(try service.client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
        let own = try service.client.send("POST", "/v1/assets", headers: ["Origin": "http://localhost"], body: body)
        #expect(own.status == 201)
    }

    @Test func aStrangersNameForThisMachineIsNoName() throws {
        let connection = try LoopbackClient(port: service.port)
        let answer = connection.exchange("GET /v1/assets HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        #expect(answer.text.hasPrefix("HTTP/1.1 421 "))
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "example.org"])
    func itListensToOthersOnlyWhereATokenExists(_ host: String) throws {
        let run = try Program.run(
            ["serve", "--port", "0", "--host", host, "--data", folder.path + "/other"], program: ServiceProcess.program)
        #expect(run.code == 78)
        #expect(run.errors.contains("no token exists"))
    }
}
