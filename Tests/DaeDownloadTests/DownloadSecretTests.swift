import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadSecretTests {
    @Test(arguments: ["/missing", "/cut", "/circle", "/page", "/none", "/away"])
    func noErrorTellsUserOrPassword(path: String) async throws {
        let server = try LoopbackServer([
            "/cut": { $1.sendHead("200 OK", ["Content-Length: 9"]) },
            "/circle": { $1.redirect(to: "http://ada:s3cret@\($0["host"] ?? "")/circle") },
            "/page": { $1.respond("200 OK", ["Content-Type: text/html"]) },
            "/none": { _, _ in },
            "/away": { $1.redirect(to: "ftp://ada:s3cret@127.0.0.1/") },
        ])
        let url = server.url(path, host: "ada:s3cret@127.0.0.1")
        let error = try #require(await DownloadFixture().failure(of: url))
        #expect(error.url == server.url(path))
        expectNoSecret(error)
    }

    @Test(arguments: [
        "http://ada:s3cret@host:99999/", "ftp://ada:s3cret@host/", "http://ada:s3/cret@[host/", "ada:s3cret@host",
        "http://ada:s3cret@\u{7}host/", "https://ada:s3cret@", "http://ada:s3@cret@ho st/", "//ada:s3cret@host",
        "http://ada:s3cret@\(String(repeating: "h", count: 64)).invalid/",
    ])
    func noErrorOfABadAddressTellsUserOrPassword(url: String) async throws {
        expectNoSecret(try #require(await DownloadFixture().failure(of: url)))
    }

    @Test func aFileDoesNotTellUserOrPassword() async throws {
        let server = try LoopbackServer { _, connection in connection.respond() }
        let file = try await DownloadFixture().download(server.url("/a", host: "ada:s3cret@127.0.0.1"))
        #expect(file.url == server.url("/a"))
    }

    private func expectNoSecret(_ error: DownloadError) {
        for text in [error.message, error.description, "\(error)", String(reflecting: error)] {
            #expect(!text.contains("s3") && !text.contains("cret") && !text.contains("ada:"), "\(text)")
        }
    }
}
