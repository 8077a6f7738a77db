import TestSupport
import Testing

@testable import DaeDownload

@Suite(.timeLimit(.minutes(10))) struct HopsTests {
    @Test(arguments: [
        (["/b"], Request.Credentials.sent), (["b", "?c", "//h.org/d"], .sent), (["http://H.ORG:80/b"], .sent),
        (["https://h.org/"], .dropped), (["http://h.org:8080/"], .dropped), (["http://other.org/"], .dropped),
        (["http://sub.h.org/"], .dropped), (["http://h.org./"], .dropped), (["//127.0.0.1/"], .dropped),
        (["http://other.org/", "http://h.org/"], .dropped), (["https://h.org/", "http://h.org/a", "/b"], .dropped),
        (["/b", "http://h.org:81/", "http://h.org:80/"], .dropped), (["http://u:p@other.org/"], .dropped),
    ])
    func whatTheUserGaveStaysWithinItsOrigin(locations: [String], credentials: Request.Credentials) throws {
        var hops = Hops(from: try WebAddress("http://h.org/a"), under: .open)
        for location in locations { try hops.follow(Array(location.utf8), atMost: 10) }
        #expect(hops.credentials == credentials)
        #expect(hops.request().credentials == credentials)
        #expect(hops.count == locations.count)
    }

    @Test func userAndPasswordDoNotComeBack() throws {
        var hops = Hops(from: try WebAddress("http://u:p@h.org/a"), under: .open)
        try hops.follow(Array("/b".utf8), atMost: 10)
        #expect(hops.address.url == "http://u:p@h.org/b")
        try hops.follow(Array("http://other.org/".utf8), atMost: 10)
        try hops.follow(Array("http://h.org/c".utf8), atMost: 10)
        #expect(hops.address.url == "http://h.org/c")
        #expect(hops.first.url == "http://u:p@h.org/a")
    }

    @Test func moreRedirectsThanAllowedAreRefused() throws {
        var hops = Hops(from: try WebAddress("http://h.org/a"), under: .open)
        try hops.follow(Array("/b".utf8), atMost: 1)
        let error = #expect(throws: DownloadFailure.self) { try hops.follow(Array("/c".utf8), atMost: 1) }
        #expect(error == .tooManyRedirects(limit: 1))
        #expect(hops.address.display == "http://h.org/b")
    }

    @Test func headersTokenAndNetrcStayWithTheirServer() async throws {
        let other = try LoopbackServer { _, connection in connection.respond(body: [1]) }
        let away = other.url("/away")
        let server = try LoopbackServer { request, connection in
            switch request.target {
            case "/start": connection.redirect(to: "/next")
            default: connection.redirect(to: away)
            }
        }
        let folder = try TemporaryFolder()
        var options = RequestOptions()
        options.userAgent = "tests/1"
        options.headers = [try RequestHeader("X-Key", "s3cret"), try RequestHeader("Cookie", "a=b")]
        options.bearerToken = try BearerToken("t0ken")
        options.netrc = .file(try folder.write("machine 127.0.0.1 login ada password pass\n", to: "netrc"))
        _ = try await GuardFixture(.open, options: options).download(server.url("/start"))
        #expect(server.requests.map { $0["x-key"] } == ["s3cret", "s3cret"])
        #expect(server.requests.map { $0["cookie"] } == ["a=b", "a=b"])
        #expect(server.requests.map { $0["authorization"] } == ["Bearer t0ken", "Bearer t0ken"])
        let last = try #require(other.requests.first)
        #expect(last["x-key"] == nil && last["cookie"] == nil && last["authorization"] == nil)
        #expect(last["user-agent"] == "tests/1")
    }
}
