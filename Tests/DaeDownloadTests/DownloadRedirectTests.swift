import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadRedirectTests {
    @Test(arguments: [
        "301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect",
    ])
    func aRedirectIsFollowedToTheFile(status: String) async throws {
        let server = try LoopbackServer { request, connection in
            switch request.target {
            case "/a/start?x": connection.redirect(to: "../b/next", status)
            case "/b/next":
                connection.redirect(
                    to: "//127.0.0.1:\(request["host"]?.split(separator: ":").last ?? "")/end.dae#here", status)
            default: connection.respond(body: Array(request.target.utf8))
            }
        }
        let file = try await DownloadFixture().download(server.url("/a/start?x"))
        #expect(server.requests.map(\.target) == ["/a/start?x", "/b/next", "/end.dae"])
        #expect(file.url == server.url("/end.dae"))
        #expect(file.suggestedName == "end.dae")
        #expect(file.size == 8)
    }

    @Test func asManyRedirectsAsAllowedAreFollowedAndNotOneMore() async throws {
        let server = try LoopbackServer { request, connection in
            let left = Int(request.target.dropFirst()) ?? 0
            if left == 0 { connection.respond(body: [7]) } else { connection.redirect(to: "/\(left - 1)") }
        }
        var limits = DownloadLimits.forTests
        limits.redirects = 3
        let fixture = try DownloadFixture(limits: limits)
        #expect(try await fixture.download(server.url("/3")).size == 1)
        let error = await #expect(throws: DownloadError.self) {
            try await fixture.download(server.url("/4"))
        }
        #expect(error?.code == .downloadTooManyRedirects)
        #expect(error?.redirectedURL == server.url("/1"))
        #expect(server.requests.count == 8)
    }

    @Test func userAndPasswordGoToTheirOwnServerAlone() async throws {
        let other = try LoopbackServer { _, connection in connection.respond(body: [1]) }
        let elsewhere = other.url("/there")
        let server = try LoopbackServer { request, connection in
            switch request.target {
            case "/start": connection.redirect(to: "next")
            case "/next": connection.redirect(to: "http://\(request["host"] ?? "")/last")
            default: connection.redirect(to: elsewhere)
            }
        }
        // "ada:se cret" in Base64.
        let expected = "Basic YWRhOnNlIGNyZXQ="
        let file = try await DownloadFixture().download(
            server.url("/start", host: "ada:se%20cret@127.0.0.1"))
        #expect(server.requests.map { $0["authorization"] } == [expected, expected, expected])
        #expect(other.requests.map { $0["authorization"] } == [nil])
        #expect(file.url == elsewhere)
    }
}
