// Every way a server or an address can fail, against a real server: the code, and a cache without any file after it.

import DaeDiagnostics
import DaeDownload
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadFailureTests {
    /// One bad answer and the error it must end in.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: FindingCode
        let recovery: Recovery
        let text: String
        let route: LoopbackServer.Route

        init(
            _ name: String, _ code: FindingCode, recovery: Recovery = .nothing, _ text: String,
            route: @escaping LoopbackServer.Route
        ) {
            testDescription = name
            self.code = code
            self.recovery = recovery
            self.text = text
            self.route = route
        }
    }

    @Test(arguments: statusCases + brokenCases + pageCases + redirectCases)
    func aBadAnswerIsOneErrorAndLeavesNoFile(_ bad: Case) async throws {
        let server = try LoopbackServer(bad.route)
        let fixture = try DownloadFixture()
        let error = try #require(await fixture.failure(of: server.url("/model.zip")))
        #expect(error.code == bad.code)
        #expect(error.recovery == bad.recovery)
        #expect(!error.isCancelled)
        #expect(error.message.hasPrefix(server.url("/model.zip")))
        #expect(error.message.contains(bad.text), "\(error.message)")
        #expect(error.description == error.message)
    }

    static let statusCases: [Case] = [
        Case("not found", .downloadHTTPStatus, ": the server answered 404 Not Found; expected 200 OK") {
            $1.respond("404 Not Found")
        },
        Case("not found, with a page", .downloadHTTPStatus, "404 Nowhere") {
            $1.respond("404 Nowhere", ["Content-Type: text/html"], body: Array("<html>".utf8))
        },
        Case("without a phrase", .downloadHTTPStatus, "answered 403 Forbidden;") { $1.respond("403 ") },
        Case("with an unknown status", .downloadHTTPStatus, "answered 499;") { $1.respond("499") },
        Case("with a steering phrase", .downloadHTTPStatus, "answered 418 \u{FFFD}[31mtea\u{FFFD};") {
            $1.respond("418 \u{1b}[31mtea\u{202e}")
        },
        Case("unauthorised", .downloadHTTPStatus, "401") {
            $1.respond("401 Unauthorized", ["WWW-Authenticate: Basic"])
        },
        Case("busy", .downloadHTTPStatus, recovery: .resume, "429") { $1.respond("429 Too Many Requests") },
        Case("request timeout", .downloadHTTPStatus, recovery: .resume, "408") { $1.respond("408 Request Timeout") },
        Case("broken server", .downloadHTTPStatus, recovery: .resume, "503") { $1.respond("503 Service Unavailable") },
        Case("no content", .downloadHTTPStatus, "204 No Content") { $1.sendHead("204 No Content") },
        Case("a part that was not asked for", .downloadTruncated, recovery: .startOver, "a part that was not asked for")
        {
            $1.respond("206 Partial Content", ["Content-Range: bytes 0-2/9"], body: [1, 2, 3])
        },
        Case("a redirect to nowhere", .downloadHTTPStatus, "302 Found") { $1.respond("302 Found") },
        Case("an error body without end", .downloadHTTPStatus, recovery: .resume, "500") { _, connection in
            connection.sendHead("500 Internal Server Error", ["Transfer-Encoding: chunked"])
            while connection.sendChunk(sampleBytes(10_000)) {}
        },
    ]

    static let brokenCases: [Case] = [
        Case("cut", .downloadTruncated, recovery: .resume, "the connection ended after 400 bytes; expected 1000 bytes")
        {
            $1.sendHead("200 OK", ["Content-Length: 1000"])
            $1.send(sampleBytes(400))
        },
        Case("cut before the first byte", .downloadTruncated, recovery: .resume, "after 0 bytes; expected 1000 bytes") {
            $1.sendHead("200 OK", ["Content-Length: 1000"])
        },
        Case(
            "chunks without end mark", .downloadTruncated, recovery: .resume, "after 4000 bytes; expected the end mark"
        ) {
            $1.sendHead("200 OK", ["Transfer-Encoding: chunked"])
            $1.sendChunk(sampleBytes(4000))
        },
        Case("no chunks", .downloadConnectionFailed, recovery: .resume, "the connection broke") {
            $1.sendHead("200 OK", ["Transfer-Encoding: chunked"])
            $1.send("zzzz\r\n")
        },
        Case("nothing", .downloadConnectionFailed, recovery: .resume, "closed the connection without an answer") {
            _, _ in
        },
        Case("reset", .downloadConnectionFailed, recovery: .resume, "the connection broke") { $1.resetAtEnd() },
        Case("no HTTP", .downloadConnectionFailed, recovery: .resume, "the answer is not HTTP") {
            $1.send("220 mail.example.org ESMTP\r\n")
        },
        Case("a negative length", .downloadConnectionFailed, recovery: .resume, "the answer is not HTTP") {
            $1.sendHead("200 OK", ["Content-Length: -5"])
        },
        Case("an absurd length", .downloadTooLarge, "announced 9223372036854775807 bytes") {
            $1.sendHead("200 OK", ["Content-Length: 99999999999999999999999"])
        },
        Case("headers without end", .downloadTooLarge, "headers are larger than 262144 bytes") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-Filler: \(String(repeating: "x", count: 2000))\r\n") {}
        },
        Case("interim answers without end", .downloadTooLarge, "headers are larger") { _, connection in
            while connection.send("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n") {}
        },
        Case("only an interim answer", .downloadConnectionFailed, recovery: .resume, "") {
            $1.send("HTTP/1.1 103 Early Hints\r\n\r\n")
        },
    ]

    static let pageCases: [Case] = [
        Case(
            "a page by its type", .downloadContentTypeMismatch, recovery: .startOver,
            "a page (text/html; charset=utf-8), probably a log-in"
        ) {
            $1.respond("200 OK", ["Content-Type: text/html; charset=utf-8"], body: Array("hello".utf8))
        },
        Case(
            "a page by its start", .downloadContentTypeMismatch, recovery: .startOver,
            "an HTML page, probably a log-in or error page"
        ) {
            $1.respond(
                "200 OK", ["Content-Type: application/zip"], body: Array("\n  <!DOCTYPE HTML><title>Log in".utf8))
        },
        Case(
            "a page byte by byte", .downloadContentTypeMismatch, recovery: .startOver,
            "expected an archive or a COLLADA document"
        ) {
            _, connection in
            connection.sendHead("200 OK")
            for byte in "<!-- hi --> <HTML><body>".utf8 { connection.send([byte]) }
        },
        Case("a page as XML", .downloadContentTypeMismatch, recovery: .startOver, "a page (Application/XHTML+XML)") {
            $1.respond("200 OK", ["Content-Type: Application/XHTML+XML"], body: Array("<?xml?>".utf8))
        },
    ]

    static let redirectCases: [Case] = [
        Case("redirects in a circle", .downloadTooManyRedirects, "redirected more than 10 times") {
            $1.redirect(to: "/model.zip")
        },
        Case("a redirect to another scheme", .downloadURLInvalid, "only http and https are understood, not ftp") {
            $1.redirect(to: "ftp://127.0.0.1/model.zip")
        },
        Case("a redirect to a file", .downloadURLInvalid, "not file") { $1.redirect(to: "file:///etc/passwd") },
        Case("a redirect to no address", .downloadURLInvalid, "the address is malformed") {
            $1.redirect(to: "http://[")
        },
        Case("a redirect to a missing file", .downloadHTTPStatus, "/gone): the server answered 404") {
            request, connection in
            if request.target == "/gone" { return connection.respond("404 Not Found") }
            connection.redirect(to: "/gone")
        },
        Case("a redirect with a body without end", .downloadHTTPStatus, "/gone): ") { request, connection in
            if request.target == "/gone" { return connection.respond("410 Gone") }
            connection.sendHead("302 Found", ["Location: /gone", "Transfer-Encoding: chunked"])
            while connection.sendChunk(sampleBytes(10_000)) {}
        },
    ]
}

// MARK: - Before an answer

extension DownloadFailureTests {
    @Test(arguments: [
        "", "model.zip", "/etc/passwd", "example.org/model.zip", "ftp://example.org/model.zip", "file:///etc/passwd",
        "http://", "http://[::1/", "http://host:99999/", "http://host:port/", "http://a b/", "mailto:a@b.c",
        "http://host/\r\nX: y", "http://host/\0", "data:text/plain,x", "javascript://x/",
    ])
    func whatIsNoWebAddressIsRefused(url: String) async throws {
        let error = try #require(await DownloadFixture().failure(of: url))
        #expect(error.code == .downloadURLInvalid)
        #expect(error.recovery == .nothing)
        #expect(error.message.hasSuffix("; expected an address like https://example.org/model.zip"))
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test func aHostThatDoesNotExistIsNotFound() async throws {
        // A label of more than 63 letters is refused by the resolver itself: no name server is asked.
        let host = String(repeating: "h", count: 64) + ".invalid"
        let error = try #require(await DownloadFixture().failure(of: "http://\(host)/model.zip"))
        #expect(error.code == .downloadHostNotFound)
        #expect(error.message.contains("the host \(host) was not found; expected"))
    }

    @Test func aPortWithoutServerIsAFailedConnection() async throws {
        let taken = try Listener(accepts: false)
        defer { close(taken.descriptor) }
        let error = try #require(await DownloadFixture().failure(of: "http://127.0.0.1:\(taken.port)/model.zip"))
        #expect(error.code == .downloadConnectionFailed)
        #expect(error.recovery == .resume)
        #expect(error.message.contains("no connection to 127.0.0.1: Connection refused; expected"))
    }

    @Test func encryptionWithAServerThatHasNoneFails() async throws {
        let plain = try PlainAnswer("HTTP/1.1 400 Bad Request\r\n\r\n")
        let error = try #require(await DownloadFixture().failure(of: "https://127.0.0.1:\(plain.port)/model.zip"))
        #expect(error.code == .downloadTLSFailed)
        #expect(error.recovery == .resume)
        #expect(error.message.contains("no encrypted connection could be made"))
    }

    @Test func aHandshakeThatIsResetIsAFailedConnection() async throws {
        let plain = try PlainAnswer("", resets: true)
        let error = try #require(await DownloadFixture().failure(of: "https://127.0.0.1:\(plain.port)/model.zip"))
        #expect(error.code == .downloadConnectionFailed)
        #expect(error.recovery == .resume)
    }

    @Test func aHandshakeWithoutAnswerTimesOut() async throws {
        let server = try LoopbackServer { _, connection in connection.waitUntilClosed() }
        var limits = DownloadLimits.forTests
        limits.connectTimeout = .milliseconds(150)
        let fixture = try DownloadFixture(limits: limits)
        let error = try #require(await fixture.failure(of: server.url("/model.zip", scheme: "https")))
        #expect(error.code == .downloadTimeout)
        #expect(error.recovery == .resume)
        #expect(error.message.contains("no connection within 0.15 s; expected"))
    }

    @Test(arguments: [true, false])
    func aServerThatStandsStillTimesOut(hasBegun: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            if hasBegun {
                connection.sendHead("200 OK", ["Content-Length: 1000"])
                connection.send(sampleBytes(10))
            }
            connection.waitUntilClosed()
        }
        var limits = DownloadLimits.forTests
        limits.stallTimeout = .milliseconds(10)
        let fixture = try DownloadFixture(limits: limits)
        let error = try #require(await fixture.failure(of: server.url("/model.zip")))
        #expect(error.code == .downloadTimeout)
        #expect(error.recovery == .resume)
        #expect(error.message.contains("stood still for 1 s after \(hasBegun ? 10 : 0) bytes; expected"))
    }
}

// MARK: - Budgets and the disk

extension DownloadFailureTests {
    @Test func anAnnouncedLengthBeyondTheBudgetIsRefusedBeforeAnyByte() async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK", ["Content-Length: 1001"])
            connection.waitUntilClosed()
        }
        let error = try #require(await budgeted(1000).failure(of: server.url("/model.zip")))
        #expect(error.code == .downloadTooLarge)
        #expect(error.message.contains("the server announced 1001 bytes; expected at most 1000 bytes"))
    }

    @Test func realBytesBeyondTheBudgetEndTheTransfer() async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK")
            while connection.send(sampleBytes(500)) {}
        }
        let error = try #require(await budgeted(100_000).failure(of: server.url("/model.zip")))
        #expect(error.code == .downloadTooLarge)
        #expect(error.recovery == .nothing)
        #expect(error.message.contains("more than 100000 bytes arrived; expected at most 100000 bytes"))
    }

    @Test func aBodyOfExactlyTheBudgetIsFine() async throws {
        let server = try LoopbackServer { request, connection in
            if request.target == "/announced" { return connection.respond(body: sampleBytes(1000)) }
            connection.sendHead("200 OK")
            connection.send(sampleBytes(1000))
        }
        let fixture = try budgeted(1000)
        #expect(try await fixture.download(server.url("/announced")).size == 1000)
        #expect(try await fixture.download(server.url("/open")).size == 1000)
    }

    private func budgeted(_ bytes: Int64) throws -> DownloadFixture {
        var limits = DownloadLimits.forTests
        limits.bytes = bytes
        return try DownloadFixture(limits: limits)
    }

    @Test func aCacheThatCannotBeMadeIsAnError() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [1]) }
        let folder = try TemporaryFolder()
        let file = try folder.write("not a folder", to: "file")
        let downloader = Downloader(cache: DownloadCache(folder: file + "/cache"))
        let error = await #expect(throws: DownloadError.self) { try await downloader.download(server.url("/a")) }
        #expect(error?.code == .ioError)
        #expect(error?.recovery == .resume)
        #expect(error?.message.contains("cannot make the folder \(file): Not a directory; expected a cache") == true)
    }

    @Test func aFileThatCannotBeMadeVisibleIsTakenAway() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [1]) }
        let fixture = try DownloadFixture()
        try fixture.folder.write("in the way", to: "cache/blobs")
        let error = await #expect(throws: DownloadError.self) {
            try await fixture.download(server.url("/a"))
        }
        #expect(error?.code == .ioError)
        #expect(fixture.files == ["blobs"])
    }
}
