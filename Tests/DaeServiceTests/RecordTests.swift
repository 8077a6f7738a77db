import GRDB
import TestSupport
import Testing

@testable import DaeService

/// What the log and the events say of what was done, and to whom.
@Suite struct RecordTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func token(_ name: String, _ scope: String) throws -> String {
        let run = try ServiceProcess.run(["token", "add", name, "--scope", scope, "--data", folder.path])
        return "Bearer " + run.text.dropLast()
    }

    // MARK: - Who did what

    @Test func eachActionHasALine() throws {
        let service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let bearer = try token("importer", "write")
        let client = service.client
        func headers(_ request: String) -> [String: String] { ["Authorization": bearer, "X-Request-Id": request] }
        func act(_ id: String, _ action: String, _ request: String) throws -> Int {
            let body = Array("{\"version\":1,\"action\":\"\(action)\"}".utf8)
            return try client.send("POST", "/v1/assets/\(id)/actions", headers: headers(request), body: body).status
        }
        let bytes = try Repository.fixture("bundles/walker.zip")
        var ids: [String] = []
        for request in ["upload-one", "upload-two"] {
            // The second brings what is known.
            let answer = try client.send(
                "POST", "/v1/assets?name=walker.zip", headers: headers(request), body: bytes)
            ids.append(try #require(answer.json?["id"]?.string))
            _ = try eventually("its end") {
                let state = try client.get("/v1/assets/\(ids.last ?? "")", headers: headers("asking-only"))
                return state.json?["state"]?["state"] == "ready" ? true : nil
            }
        }
        var order = headers("link-added")
        order["Content-Type"] = "application/json"
        let link = try client.send(
            "POST", "/v1/assets", headers: order, body: Array(#"{"url":"http://127.0.0.1:1/a.zip?sig=SECRET"}"#.utf8))
        let failed = try #require(link.json?["id"]?.string)
        _ = try eventually("its end") {
            let state = try client.get("/v1/assets/\(failed)", headers: headers("asking-only"))
            return state.json?["state"]?["state"] == "failed" ? true : nil
        }
        #expect(try act(failed, "retry", "retry-link") == 200)
        #expect(try act(ids[0], "convert", "convert-one") == 202)
        #expect(
            try client.send("POST", "/v1/assets/\(ids[0])/links", headers: headers("links-one"), body: Array("{}".utf8))
                .status == 200)
        #expect(try act(ids[1], "remove", "remove-two") == 204)
        #expect(try client.send("DELETE", "/v1/assets/\(ids[0])", headers: headers("delete-one")).status == 204)
        #expect(try client.send("DELETE", "/v1/assets/\(ids[0])", headers: headers("delete-again")).status == 404)
        let lines = service.logged("action")
        let expected = [
            ("add", ids[0], "upload-one"), ("add", ids[1], "upload-two"), ("add", failed, "link-added"),
            ("retry", failed, "retry-link"), ("convert", ids[0], "convert-one"), ("link", ids[0], "links-one"),
            ("remove", ids[1], "remove-two"), ("remove", ids[0], "delete-one"),
        ]
        #expect(lines.count == expected.count)
        for (line, (action, asset, request)) in zip(lines, expected) {
            #expect(line["action"]?.string == action)
            #expect(line["asset"]?.string == asset)
            #expect(line["request"]?.string == request)
            #expect(line["client"] == "importer")
            #expect(line["address"] == "127.0.0.1")
        }
        #expect(!service.logText.contains(bearer.dropFirst(7)))
        #expect(!service.logText.contains("SECRET"))
        #expect(!service.logText.contains("signature="))
    }

    @Test func numbersOfTheLogAreNumbers() throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try service.client.upload(Array("no model".utf8), name: "a.zip")
        _ = try service.client.outcome(of: id)
        #expect(try service.client.get("/v1/assets/12345678", headers: ["X-Request-Id": "12345678"]).status == 404)
        let problem = try #require(service.logged("answered with a problem").first)
        #expect(problem["status"] == 404)
        #expect(problem["request"] == "12345678")
        #expect(service.logged("taken").first?["waited"]?.number != nil)
        #expect(service.logged("listening").count == 1)
        #expect(!service.logText.contains("Server started"))
    }

    @Test func aPublicNameWithoutATokenIsWarnedOf() throws {
        let open = try ServiceProcess(data: folder.path, ["--public-host", "models.example.org"])
        let line = try #require(open.logText.split(separator: "\n").first { $0.contains("open to everybody") })
        #expect(line.contains("\"warning\""))
        #expect(line.contains("models.example.org"))
        open.end()
        #expect(try !ServiceProcess(data: folder.path).logText.contains("open to everybody"))
        _ = try token("reader", "read")
        let closed = try ServiceProcess(data: folder.path, ["--public-host", "models.example.org"])
        #expect(!closed.logText.contains("open to everybody"))
    }

    // MARK: - Gaps

    private func text(_ service: ServiceProcess, _ path: String, last: Int, until end: String) throws -> String {
        let connection = try LoopbackClient(port: service.port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: \(last)\r\n\r\n")
        var text: [UInt8] = []
        while !text.suffix(end.utf8.count).elementsEqual(end.utf8), case let byte = connection.read(1), !byte.isEmpty {
            text += byte
        }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func whatIsForgottenBetweenTwoEventsIsTold() async throws {
        let first = try ServiceProcess(data: folder.path)
        let id = try first.client.upload(Array("no model".utf8), name: "a.zip")
        _ = try first.client.outcome(of: id)
        first.end()
        let store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
        // So many have happened since.
        try await store.database.write { session in
            try session.execute(
                "INSERT INTO events (number, asset, kind, data, at) VALUES (50000, 'gone', 'removed', '{}', 0)")
        }
        try store.database.close()
        let service = try ServiceProcess(data: folder.path)
        let all = try text(service, "/v1/events", last: 29_999, until: "\"data\":{}}\n\n")
        #expect(all.contains("id: 30000\nevent: gap\ndata: {\"after\":29999,\"next\":30001}\n\n"))
        #expect(all.contains("id: 50000\nevent: removed\n"))
        // Nothing is missing behind the first that is kept.
        let whole = try text(service, "/v1/events", last: 30_000, until: "\"data\":{}}\n\n")
        #expect(!whole.contains("event: gap"))
        // Of one asset its present state follows.
        let one = try text(service, "/v1/assets/\(id)/events", last: 1, until: "}\n\n")
        #expect(one.contains("id: 50000\nevent: gap\ndata: {\"after\":1,\"next\":50001}\n\n"))
        let state = try text(service, "/v1/assets/\(id)/events", last: 1, until: "\"version\":1}\n\n")
        #expect(state.contains("id: 50000\nevent: state\n"))
    }

    // MARK: - Secrets of links

    @Test func theQueryOfALinkIsItsOwnersAlone() throws {
        let path = "/a.zip?X-Amz-Signature=SECRETSIG&name=%22q%22"
        let server = try FaultServer(["/a.zip": FaultResource(try Repository.fixture("bundles/walker.zip"))])
        let service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let (owner, other) = (try token("owner", "write"), try token("other", "write"))
        let reader = try token("reader", "read")
        let client = service.client
        let links = [server.url(path), "http://127.0.0.1:1/b.zip?X-Amz-Signature=SECRETSIG#part"]
        let ids = try links.map { url in
            let answer = try client.send(
                "POST", "/v1/assets", headers: ["Authorization": owner, "Content-Type": "application/json"],
                body: Array("{\"url\":\"\(url)\"}".utf8))
            #expect(answer.status == 201)
            #expect(answer.text.contains("SECRETSIG"))
            return try #require(answer.json?["id"]?.string)
        }
        for (id, end) in zip(ids, ["ready", "failed"]) {
            let state = try eventually("its end") {
                let state = try client.get("/v1/assets/\(id)", headers: ["Authorization": reader]).json?["state"]
                return ["ready", "failed"].contains(state?["state"]?.string) ? state : nil
            }
            #expect(state["state"]?.string == end)
        }
        let last = #""state":"failed""#
        func events(_ path: String, _ bearer: String) throws -> String {
            let connection = try LoopbackClient(port: service.port)
            connection.send(
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(bearer)\r\nLast-Event-ID: 0\r\n\r\n")
            var text: [UInt8] = []
            while !String(decoding: text.suffix(2000), as: UTF8.self).contains(last),
                case let bytes = connection.read(1), !bytes.isEmpty
            {
                text += bytes
            }
            return String(decoding: text, as: UTF8.self)
        }
        var paths = ["/v1/assets"]
        for id in ids { paths += ["/v1/assets/\(id)", "/v1/assets/\(id)/inspect"] }
        paths += ["tree", "report", "report?format=md", "report?format=sarif"].map { "/v1/assets/\(ids[0])/\($0)" }
        for path in paths {
            for bearer in [other, reader] {
                let answer = try client.get(path, headers: ["Authorization": bearer])
                #expect(answer.status == 200)
                #expect(!answer.text.contains("SECRETSIG"), "\(path)")
            }
        }
        for bearer in [other, reader] {
            #expect(try !events("/v1/events", bearer).contains("SECRETSIG"))
            #expect(try !events("/v1/assets/\(ids[1])/events", bearer).contains("SECRETSIG"))
        }
        // A retry of another's shows it neither.
        let again = try client.send(
            "POST", "/v1/assets/\(ids[1])/actions", headers: ["Authorization": other],
            body: Array(#"{"version":1,"action":"retry"}"#.utf8))
        #expect(again.status == 200)
        #expect(!again.text.contains("SECRETSIG"))
        for bearer in [owner, other] {
            let answer = try client.get("/v1/assets/\(ids[1])/model.glb", headers: ["Authorization": bearer])
            #expect(answer.status == 409)
            #expect(!answer.text.contains("SECRETSIG"))
        }
        for url in ["ftp://example.org/a.zip?sig=SECRETSIG", "http://exa mple.org/a.zip?sig=SECRETSIG"] {
            let answer = try client.send(
                "POST", "/v1/assets", headers: ["Authorization": owner, "Content-Type": "application/json"],
                body: Array("{\"url\":\"\(url)\"}".utf8))
            #expect(answer.status == 400)
        }
        // Its owner sees it where it stands.
        #expect(try events("/v1/events", owner).contains("SECRETSIG"))
        let inspection = try client.get("/v1/assets/\(ids[0])/inspect", headers: ["Authorization": owner])
        #expect(inspection.json?["source"]?["input"]?.string == links[0])
        #expect(!service.logText.contains("SECRETSIG"))
    }
}
