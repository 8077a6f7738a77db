import Glibc
import TestSupport
import Testing

/// A token is exchanged for a cookie, which lets in what a page of this service sends, and nobody else.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient
    private let token: String

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
        let run = try ServiceProcess.run(["token", "add", "writer", "--scope", "write", "--data", folder.path])
        token = String(run.text.dropLast())
    }

    private func signIn(_ headers: [String: String] = [:], _ client: ServiceClient? = nil) throws
        -> ServiceClient.Answer
    {
        try (client ?? self.client).send(
            "POST", "/v1/session", headers: headers.merging(["Authorization": "Bearer \(token)"]) { $1 })
    }

    /// As a browser sends it back.
    private func cookie(_ answer: ServiceClient.Answer) throws -> String {
        try #require(answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
    }

    /// What the page's own requests have.
    private func own(_ cookie: String) -> [String: String] {
        [
            "Cookie": cookie, "Origin": "http://localhost", "Sec-Fetch-Site": "same-origin", "X-Daed-Page": "1",
        ]
    }

    @Test func aTokenIsExchangedForACookie() throws {
        #expect(try client.send("POST", "/v1/session").status == 401)
        #expect(try client.send("POST", "/v1/session", headers: ["Authorization": "Bearer no"]).status == 401)
        let answer = try signIn()
        #expect(answer.status == 200)
        #expect(answer.json?["name"] == "writer")
        #expect(answer.json?["scope"] == "write")
        let whole = try #require(answer.headers["set-cookie"])
        let attributes = Set(whole.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } })
        #expect(attributes == ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"])
        let headers = ["Cookie": "other=1; \(try cookie(answer))"]
        #expect(try client.get("/v1/assets", headers: headers).status == 200)
        #expect(try client.get("/v1/session", headers: headers).json?["name"] == "writer")
        // One that nobody was given.
        #expect(try client.get("/v1/assets", headers: ["Cookie": "daed_session=00"]).status == 401)
        // A header that is sent counts, even where it is wrong.
        #expect(
            try client.get("/v1/assets", headers: headers.merging(["Authorization": "Bearer no"]) { $1 }).status == 401)
        // A session makes no other one.
        #expect(try client.send("POST", "/v1/session", headers: own(try cookie(answer))).status == 401)
        #expect(!service.logText.contains(try cookie(answer).dropFirst("daed_session=".utf8.count)))
    }

    @Test func itIsSecureWhereATrustedProxySpeaksTLS() throws {
        let secure = ["X-Forwarded-Proto": "https"]
        #expect(try signIn(secure).headers["set-cookie"]?.contains("Secure") == false)
        let behind = try ServiceProcess(data: folder.path, ["--trusted-proxies", "127.0.0.0/8"])
        #expect(try signIn(secure, behind.client).headers["set-cookie"]?.contains("Secure") == true)
        #expect(
            try signIn(["X-Forwarded-Proto": "http"], behind.client).headers["set-cookie"]?.contains("Secure") == false)
    }

    @Test func whatChangesSomethingTakesThePagesOwnMarks() throws {
        let cookie = try cookie(signIn())
        func add(_ headers: [String: String]) throws -> Int {
            try client.send("POST", "/v1/assets?name=a.zip", headers: headers, body: Array("no model".utf8)).status
        }
        #expect(try add(own(cookie)) == 201)
        for missing in ["Origin", "X-Daed-Page"] {
            #expect(try add(own(cookie).filter { $0.key != missing }) == 403, "\(missing)")
        }
        for (name, value) in [
            ("Origin", "https://evil.example"), ("Origin", "null"), ("Origin", "http://localhost:1"),
            ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Site", "cross-site"),
        ] {
            #expect(try add(own(cookie).merging([name: value]) { $1 }) == 403, "\(name): \(value)")
        }
        // Neither by another method.
        let id = try #require(
            try client.get("/v1/assets", headers: ["Cookie": cookie]).json?["assets"]?.elements.first?["id"]?.string)
        #expect(try client.send("DELETE", "/v1/assets/\(id)", headers: ["Cookie": cookie]).status == 403)
        #expect(try client.send("DELETE", "/v1/assets/\(id)", headers: own(cookie)).status == 204)
        // What a token allows takes none of them.
        #expect(try add(["Authorization": "Bearer \(token)"]) == 201)
    }

    /// Such a site may use tokens, and not the cookie of who sits before it.
    @Test func aNamedSiteCannotUseTheCookie() throws {
        let service = try ServiceProcess(data: folder.path, ["--cors-origin", "https://viewer.example"])
        let cookie = try cookie(signIn([:], service.client))
        let foreign = ["Cookie": cookie, "Origin": "https://viewer.example", "X-Daed-Page": "1"]
        #expect(try service.client.get("/v1/assets", headers: foreign).status == 403)
        #expect(try service.client.send("POST", "/v1/assets?name=a.zip", headers: foreign, body: [1]).status == 403)
        #expect(try service.client.get("/v1/assets", headers: ["Cookie": cookie]).status == 200)
    }

    private func stream(_ cookie: String) throws -> LoopbackClient {
        let connection = try LoopbackClient(port: service.port)
        connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: \(cookie)\r\n\r\n")
        #expect(connection.read(12) == Array("HTTP/1.1 200".utf8))
        return connection
    }

    @Test func itEndsWithItsToken() throws {
        let cookie = try cookie(signIn())
        let stream = try stream(cookie)
        #expect(try ServiceProcess.run(["token", "revoke", "writer", "--data", folder.path]).code == 0)
        #expect(stream.rest().end != .silent)
        #expect(try client.get("/v1/assets", headers: ["Cookie": cookie]).status == 401)
    }

    @Test func whoSignsOutIsOut() throws {
        let (cookie, other) = (try cookie(signIn()), try cookie(signIn()))
        let stream = try stream(cookie)
        #expect(try client.send("DELETE", "/v1/session", headers: ["Cookie": cookie]).status == 403)
        let answer = try client.send("DELETE", "/v1/session", headers: own(cookie))
        #expect(answer.status == 204)
        #expect(answer.headers["set-cookie"]?.contains("Max-Age=0") == true)
        #expect(stream.rest().end != .silent)
        #expect(try client.get("/v1/assets", headers: ["Cookie": cookie]).status == 401)
        #expect(try client.get("/v1/assets", headers: ["Cookie": other]).status == 200)
    }

    @Test func ofTooManyTheOldestEnds() throws {
        let first = try cookie(signIn())
        var second = ""
        for number in 0..<100 {
            let next = try cookie(signIn())
            if number == 0 { second = next }
        }
        #expect(try client.get("/v1/assets", headers: ["Cookie": first]).status == 401)
        #expect(try client.get("/v1/assets", headers: ["Cookie": second]).status == 200)
    }

    @Test func aReadersSessionOnlyReads() throws {
        let reader = try ServiceProcess.run(["token", "add", "reader", "--data", folder.path]).text.dropLast()
        let answer = try client.send("POST", "/v1/session", headers: ["Authorization": "Bearer \(reader)"])
        #expect(answer.json?["scope"] == "read")
        let headers = own(try cookie(answer))
        #expect(try client.get("/v1/assets", headers: headers).status == 200)
        #expect(try client.send("POST", "/v1/assets?name=a.zip", headers: headers, body: [1]).status == 403)
    }
}
