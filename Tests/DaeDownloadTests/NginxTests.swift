import DaeCore
import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@Suite(
    .enabled(if: NginxServer.isInstalled, "nginx is not installed (Debian: nginx-light)"), .timeLimit(.minutes(10)))
struct NginxTests {
    @Test func aFileArrivesWhole() async throws {
        let body = sampleBytes(5_000_000)
        let server = try NginxServer(files: ["models/chair.zip": body])
        let log = ProgressLog()
        let file = try await DownloadFixture().download(server.url("/models/chair.zip")) { log.append($0) }
        #expect(file.sha256 == SHA256Digest(hashing: body))
        #expect(file.contentType == "application/zip")
        #expect(file.suggestedName == "chair.zip")
        #expect(log.all.last == DownloadProgress(received: 5_000_000, expected: 5_000_000))
    }

    @Test func aMissingFileIsNotFound() async throws {
        let server = try NginxServer()
        let error = try #require(await DownloadFixture().failure(of: server.url("/none.zip")))
        #expect(error.code == .downloadHTTPStatus)
        #expect(error.status == 404)
        #expect(error.message.contains("404 Not Found"))
    }

    @Test func aRedirectIsFollowed() async throws {
        let server = try NginxServer(
            files: ["new/robot.dae": Array("<COLLADA/>".utf8)],
            settings: "location /old/ { rewrite ^/old/(.*)$ /new/$1 permanent; }")
        let file = try await DownloadFixture().download(server.url("/old/robot.dae"))
        #expect(file.url == server.url("/new/robot.dae"))
        #expect(file.contentType == "model/vnd.collada+xml")
        #expect(file.size == 10)
    }

    @Test func aPageIsNoModel() async throws {
        let server = try NginxServer(files: ["login.html": Array("<html>".utf8), "model.zip": Array("<html>".utf8)])
        let fixture = try DownloadFixture()
        for path in ["/login.html", "/model.zip"] {
            #expect(await fixture.failure(of: server.url(path))?.code == .downloadContentTypeMismatch)
        }
    }
}

@Suite(
    .enabled(if: NginxServer.isInstalled, "nginx is not installed (Debian: nginx-light)"),
    .enabled(if: NginxServer.hasOpenSSL, "openssl's command line is not installed"), .timeLimit(.minutes(10)))
struct NginxTLSTests {
    let folder = Result { try TemporaryFolder() }
    let files = ["chair.zip": sampleBytes(300_000)]

    @Test func aTrustedAuthorityIsEnough() async throws {
        let certificate = try Certificate(in: folder.get(), names: "IP:127.0.0.1,DNS:localhost")
        let server = try NginxServer(files: files, certificate: certificate)
        let fixture = try DownloadFixture(caFile: certificate.authority)
        let file = try await fixture.download(server.url("/chair.zip", scheme: "https"))
        #expect(file.sha256 == SHA256Digest(hashing: sampleBytes(300_000)))
        #expect(file.url.hasPrefix("https://127.0.0.1:"))
    }

    @Test func aStatusHasItsWordsOverHTTP2Too() async throws {
        let certificate = try Certificate(in: folder.get(), names: "IP:127.0.0.1")
        let server = try NginxServer(certificate: certificate)
        let fixture = try DownloadFixture(caFile: certificate.authority)
        let error = try #require(await fixture.failure(of: server.url("/none", scheme: "https")))
        #expect(error.message.contains("404 Not Found"))
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        let certificate = try Certificate(in: folder.get(), names: "IP:127.0.0.1")
        let server = try NginxServer(files: files, certificate: certificate)
        try await expectRefusal(
            of: server.url("/chair.zip", scheme: "https"), caFile: nil, "unable to get local issuer")
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        let certificate = try Certificate(in: folder.get(), names: "DNS:example.org")
        let server = try NginxServer(files: files, certificate: certificate)
        let url = server.url("/chair.zip", scheme: "https")
        try await expectRefusal(of: url, caFile: certificate.authority, "no alternative certificate subject name")
    }

    @Test func encryptionOlderThanTLS12IsRefused() async throws {
        let certificate = try Certificate(in: folder.get(), names: "IP:127.0.0.1")
        let server = try NginxServer(
            files: files, settings: "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;",
            certificate: certificate)
        let url = server.url("/chair.zip", scheme: "https")
        try await expectRefusal(of: url, caFile: certificate.authority, "protocol version")
    }

    @Test func aMissingFileOfAuthoritiesIsAnError() async throws {
        let certificate = try Certificate(in: folder.get(), names: "IP:127.0.0.1")
        let server = try NginxServer(files: files, certificate: certificate)
        try await expectRefusal(
            of: server.url("/chair.zip", scheme: "https"), caFile: "/nonexistent/ca.pem", "/nonexistent/ca.pem")
    }

    @Test func aPlainRequestToAnEncryptedPortIsAnError() async throws {
        let certificate = try Certificate(in: folder.get(), names: "IP:127.0.0.1")
        let server = try NginxServer(files: files, certificate: certificate)
        let fixture = try DownloadFixture()
        #expect(await fixture.failure(of: server.url("/chair.zip"))?.status == 400)
    }

    private func expectRefusal(
        of url: String, caFile: String?, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let fixture = try DownloadFixture(caFile: caFile)
        let error = await fixture.failure(of: url, sourceLocation: sourceLocation)
        #expect(error?.code == .downloadTLSFailed, sourceLocation: sourceLocation)
        #expect(error?.recovery == .resume, sourceLocation: sourceLocation)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }
}
