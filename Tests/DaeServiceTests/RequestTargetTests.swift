import TestSupport
import Testing

extension ServiceProcess {
    /// That of the answer to a request, as it stands there.
    fileprivate func status(_ text: String) throws -> String {
        String(try LoopbackClient(port: port).exchange(text).text.dropFirst(9).prefix(3))
    }
}

/// Whom a request is meant for.
@Suite(.sharedService) struct RequestHostTests {
    private func status(_ text: String) throws -> String { try SharedService.present.status(text) }

    @Test(arguments: [
        ("Host: localhost\r\n", "200"),
        ("Host: localhost\r\nHost: evil.example\r\n", "400"),
        ("Host: localhost\r\nhost: localhost\r\n", "400"),
        ("", "400"),
        ("Host:\r\n", "400"),
        ("Host: evil.example\r\n", "421"),
    ])
    func aRequestIsMeantForOneHost(_ hosts: String, _ expected: String) throws {
        #expect(try status("GET /v1/assets HTTP/1.1\r\n\(hosts)Connection: close\r\n\r\n") == expected)
    }

    @Test(arguments: [
        ("http://localhost/v1/assets?limit=1", "Host: evil.example\r\n", "200"),
        ("HTTP://localhost", "Host: localhost\r\n", "200"),
        ("http://127.0.0.1:80?x", "Host: localhost\r\n", "200"),
        ("http://evil.example/v1/assets", "Host: localhost\r\n", "421"),
        ("https://evil.example", "Host: localhost\r\n", "421"),
        ("http://user@localhost/v1/assets", "Host: localhost\r\n", "421"),
        ("http:///v1/assets", "Host: localhost\r\n", "400"),
        ("http://localhost/v1/assets", "", "400"),
        ("http://localhost/v1/assets", "Host: localhost\r\nHost: localhost\r\n", "400"),
    ])
    func aTargetThatNamesItsHostStandsAboveTheHeader(_ target: String, _ hosts: String, _ expected: String) throws {
        #expect(try status("GET \(target) HTTP/1.1\r\n\(hosts)Connection: close\r\n\r\n") == expected)
    }
}

/// What is asked before anybody is let in, and what is said of the service itself.
@Suite struct RequestTargetTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
    }

    private func status(_ text: String) throws -> String { try service.status(text) }

    /// They close the connection behind an answer, and know no answers in pieces.
    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func anOldClientIsAnsweredInItsWay(_ header: String) throws {
        let id = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try service.client.outcome(of: id)
        let start = ContinuousClock.now
        for path in ["/v1/assets/\(id)", "/v1/assets/\(id)/original"] {
            let answer = try LoopbackClient(port: service.port).exchange(
                "GET \(path) HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n")
            #expect(answer.head.hasPrefix("HTTP/1.0 200 "), "\(answer.head)")
        }
        #expect(ContinuousClock.now - start < .seconds(30))
        // One that ends when the client has what it waits for: its length is not known before.
        let events = try LoopbackClient(port: service.port)
        events.send("GET /v1/assets/\(id)/events HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n")
        let begin = String(decoding: events.read(400), as: UTF8.self)
        #expect(begin.hasPrefix("HTTP/1.0 200 "), "\(begin)")
        #expect(!begin.lowercased().contains("transfer-encoding"), "\(begin)")
    }

    @Test func whoMayNotSendIsNotAskedTo() throws {
        let token = try ServiceProcess.run(
            ["token", "add", "writer", "--scope", "write", "--data", folder.path]
        ).text.dropLast()
        let head =
            "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 8\r\n"
        #expect(try status(head + "\r\n") == "401")
        let connection = try LoopbackClient(port: service.port)
        connection.send(head + "Authorization: Bearer \(token)\r\n\r\n")
        #expect(connection.read(21) == Array("HTTP/1.1 100 Continue".utf8))
        _ = connection.read(4)
        connection.send("no model")
        #expect(connection.readAnswer().head.hasPrefix("HTTP/1.1 201 "))
    }

    @Test func whatTusSpeaksIsSaidToAll() throws {
        _ = try ServiceProcess.run(["token", "add", "reader", "--data", folder.path])
        for path in ["/v1/uploads", "/v1/uploads/x"] {
            let answer = try service.client.send("OPTIONS", path)
            #expect(answer.status == 204)
            #expect(answer.headers["tus-version"] == "1.0.0")
        }
        #expect(try service.client.send("OPTIONS", "/v1/assets").status == 401)
    }

    @Test func aPortOfFiguresThatIsTakenIsNamed() throws {
        let run = try ServiceProcess.run([
            "serve", "--data", folder.path + "/other", "--port", "0", "--metrics-port", "\(service.port)",
        ])
        #expect(run.code == 69)
        #expect(run.errors.contains("daed: cannot listen on 127.0.0.1:\(service.port): Address already in use\n"))
        #expect(!run.errors.contains("CancellationError"))
    }

    @Test func sizesMayHaveUnits() throws {
        let run = try ServiceProcess.run([
            "config", "--format", "json", "--upload-limit", "500M", "--disk-limit", "2 GiB",
        ])
        let settings = try JSONNode(parsing: run.output)["settings"]?.elements ?? []
        #expect(settings.first { $0["key"] == "upload-limit" }?["value"]?.number == Double(500 << 20))
        #expect(settings.first { $0["key"] == "disk-limit" }?["value"]?.number == Double(2 << 30))
        #expect(try ServiceProcess.run(["config", "--upload-limit", "500X"]).code == 64)
        #expect(try ServiceProcess.run(["config", "--upload-limit", "9999999999999T"]).code == 64)
    }
}
