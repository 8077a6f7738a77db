import TestSupport
import Testing

@testable import DaeDownload

@Suite(.timeLimit(.minutes(10))) struct RequestOptionsTests {
    @Test(arguments: [
        ("X-Key: value", "X-Key", "value"), ("x-key:value", "x-key", "value"), ("A:  b c\t", "A", "b c"),
        ("A: b: c", "A", "b: c"), ("A:", "A", ""), ("Authorization: Basic x", "Authorization", "Basic x"),
        ("Accept: */*", "Accept", "*/*"), ("X: grüße", "X", "grüße"),
    ])
    func aHeaderLineIsTakenApart(line: String, name: String, value: String) throws {
        let header = try RequestHeader(line: line)
        #expect(header.name == name)
        #expect(header.value == value)
    }

    @Test(arguments: [
        "", "X-Key", ": value", "X Key: v", "X-Kéy: v", "X-Key : v", "X: a\r\nY: b", "X: a\nb", "X: a\0b", "X: \u{7f}",
        "X\r\n: a", "Host: other", "host: other", "Range: bytes=0-", "If-None-Match: x", "if-range: x", "IF-Foo: x",
        "Accept-Encoding: gzip", "Connection: close", "Content-Length: 5", "Content-Type: x",
        "Transfer-Encoding: chunked",
        "TE: trailers", "Trailer: x", "Upgrade: h2c", "Expect: 100-continue", "Proxy-Authorization: x", "Keep-Alive: 5",
    ])
    func aHeaderThatMayNotBeIsRefused(line: String) {
        #expect(throws: RequestHeaderError.self) { try RequestHeader(line: line) }
    }

    @Test func noTextShowsASecret() throws {
        var options = RequestOptions()
        options.headers = [try RequestHeader("X-Key", "s3cret")]
        options.bearerToken = try BearerToken("s3cret")
        var texts = ["\(options)", String(reflecting: options)]
        dump(options, to: &texts[0])
        texts += [String(reflecting: options.headers), "\(String(describing: options.bearerToken))"]
        for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
        #expect("\(options.headers)" == "[X-Key: ***]")
        let error = #expect(throws: RequestHeaderError.self) { try RequestHeader("X-Key", "s3cret\n") }
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test(arguments: ["", "a b", "a\n", "grün", "\u{7f}"])
    func whatIsNoTokenIsRefused(text: String) {
        #expect(throws: RequestHeaderError.self) { try BearerToken(text) }
    }

    @Test func ownHeadersAreSentInTheirForms() throws {
        let hops = Hops(from: try WebAddress("http://h.org/"), under: .open)
        let fields: [Request.Field] = [
            .range(from: 5, through: nil), .range(from: 0, through: 99), .ifRange("\"a\""),
            .ifNoneMatch("\"b\", W/\"c\""),
            .ifModifiedSince("Sun, 06 Nov 1994 08:49:37 GMT"), .accept("x/y"),
        ]
        var options = RequestOptions()
        options.headers = [try RequestHeader("accept", "z"), try RequestHeader("X-Empty", "")]
        #expect(
            try RequestLines(hops.request(.get, fields), options).texts == [
                "accept: z", "X-Empty;", "Range: bytes=5-", "Range: bytes=0-99", "If-Range: \"a\"",
                "If-None-Match: \"b\", W/\"c\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
            ])
        #expect(throws: DownloadFailure.self) {
            try RequestLines(hops.request(.get, [.ifRange("\"a\"\r\nHost: x")]), options)
        }
    }

    @Test func anEmptyHeaderAndOurOwnOnesArrive() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [1]) }
        var options = RequestOptions()
        options.headers = [try RequestHeader("X-Empty", ""), try RequestHeader("X-Text", "grüße: ;")]
        _ = try await GuardFixture(.open, options: options).download(server.url("/"))
        let request = try #require(server.requests.first)
        #expect(request["x-empty"] == "")
        #expect(request["x-text"] == "grüße: ;")
        #expect(request["accept-encoding"] == "identity")
    }

    @Test func netrcIsReadOnRequestOnly() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [1]) }
        let folder = try TemporaryFolder()
        let file = try folder.write("machine 127.0.0.1 login ada password pass\n", to: "netrc")
        var options = RequestOptions()
        _ = try await GuardFixture(.open, options: options).download(server.url("/"))
        options.netrc = .file(file)
        _ = try await GuardFixture(.open, options: options).download(server.url("/"))
        _ = try await GuardFixture(.open, options: options).download(server.url("/", host: "me:own@127.0.0.1"))
        // "ada:pass" and "me:own" in Base64.
        #expect(server.requests.map { $0["authorization"] } == [nil, "Basic YWRhOnBhc3M=", "Basic bWU6b3du"])
    }

    @Test func aCodingThatWasNotAskedForIsUndone() async throws {
        // "hello" by gzip.
        let bytes: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK", ["Content-Encoding: gzip"])
            connection.send(bytes)
        }
        #expect(try await GuardFixture(.open).download(server.url("/")).size == 5)
    }
}
