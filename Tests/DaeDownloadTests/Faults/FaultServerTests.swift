// The server's good half: what it does where no fault was asked for, by bare sockets.

import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultServerTests {
    /// Sunday, 6 November 1994, 08:49:37.
    static let date = 784_111_777
    static let dateText = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let bytes = Array("0123456789".utf8)

    struct Rule: Sendable, CustomTestStringConvertible {
        let headers: [String]
        let status: Int
        let body: String
        let contentRange: String?
        var resource = FaultResource(bytes, lastModified: date)

        init(_ headers: String..., status: Int, _ body: String, _ contentRange: String? = nil) {
            self.headers = headers
            self.status = status
            self.body = body
            self.contentRange = contentRange
        }

        func with(_ tag: FaultResource.Tag?) -> Rule {
            var rule = self
            rule.resource.tag = tag
            return rule
        }

        func of(_ bytes: [UInt8]) -> Rule {
            var rule = self
            rule.resource.bytes = bytes
            return rule
        }

        var testDescription: String { headers.joined(separator: ", ") + " → \(status)" }
    }

    static let refused = "no such range\n"
    static let whole = "0123456789"
    static let rules: [Rule] = [
        Rule("X: y", status: 200, whole),
        Rule("Range: bytes=3-5", status: 206, "345", "bytes 3-5/10"),
        Rule("Range: bytes=3-", status: 206, "3456789", "bytes 3-9/10"),
        Rule("Range: bytes=9-9", status: 206, "9", "bytes 9-9/10"),
        Rule("Range: bytes=8-99", status: 206, "89", "bytes 8-9/10"),
        Rule("Range: bytes=-3", status: 206, "789", "bytes 7-9/10"),
        Rule("Range: bytes=-99", status: 206, whole, "bytes 0-9/10"),
        Rule("Range: bytes=-0", status: 416, refused, "bytes */10"),
        Rule("Range: bytes=10-", status: 416, refused, "bytes */10"),
        Rule("Range: bytes=0-", status: 416, refused, "bytes */0").of([]),
        Rule("Range: bytes=5-3", status: 200, whole), Rule("Range: bytes=x-3", status: 200, whole),
        Rule("Range: items=3-5", status: 200, whole), Rule("Range: bytes=0-1,3-4", status: 200, whole),
        Rule("Range: bytes=3-", "If-Range: \"one\"", status: 206, "3456789", "bytes 3-9/10"),
        Rule("Range: bytes=3-", "If-Range: \"two\"", status: 200, whole),
        Rule("Range: bytes=3-", "If-Range: W/\"one\"", status: 200, whole).with(.weak("one")),
        Rule("Range: bytes=3-", "If-Range: \"one\"", status: 200, whole).with(.weak("one")),
        Rule("Range: bytes=3-", "If-Range: \(dateText)", status: 206, "3456789", "bytes 3-9/10"),
        Rule("Range: bytes=3-", "If-Range: Sun, 06 Nov 1994 08:49:38 GMT", status: 200, whole),
        Rule("Range: bytes=99-", "If-Range: \"two\"", status: 200, whole),
        Rule("If-None-Match: \"one\"", status: 304, ""), Rule("If-None-Match: W/\"one\"", status: 304, ""),
        Rule("If-None-Match: *", status: 304, ""), Rule("If-None-Match: \"a\", \"one\"", status: 304, ""),
        Rule("If-None-Match: \"a\"", "If-Modified-Since: \(dateText)", status: 200, whole),
        Rule("If-None-Match: \"one\"", status: 200, whole).with(nil),
        Rule("If-Modified-Since: \(dateText)", status: 304, ""),
        Rule("If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT", status: 200, whole),
        Rule("If-Modified-Since: yesterday", status: 200, whole),
        Rule("If-Match: \"two\"", status: 412, "a precondition failed\n"),
        Rule("If-Match: \"one\"", "Range: bytes=8-", status: 206, "89", "bytes 8-9/10"),
        Rule("If-Match: \"one\"", status: 412, "a precondition failed\n").with(.weak("one")),
        Rule("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT", status: 412, "a precondition failed\n"),
        Rule("If-Unmodified-Since: \(dateText)", "Range: bytes=-1", status: 206, "9", "bytes 9-9/10"),
    ]

    @Test(arguments: rules) func aRequestGetsWhatRFC9110SaysItIsDue(_ rule: Rule) throws {
        let server = try FaultServer(["/file": rule.resource])
        let answer = try ask(server, "/file", rule.headers)
        #expect(answer.head.hasPrefix("HTTP/1.1 \(rule.status) "))
        #expect(String(decoding: answer.body, as: UTF8.self) == rule.body)
        #expect(answer.field("Content-Range") == rule.contentRange)
        #expect(answer.end == .closed)
        let hasLength = rule.status != 304
        #expect(answer.field("Content-Length") == (hasLength ? String(answer.body.count) : nil))
        if [200, 206, 304].contains(rule.status) {
            #expect(answer.field("Last-Modified") == Self.dateText)
            #expect((answer.field("ETag") == nil) == (rule.resource.tag == nil))
        }
    }

    @Test func whatIsNotThereIsNotFoundAndAHeadHasNoBody() throws {
        let server = try FaultServer(["/file": FaultResource(Self.bytes)])
        #expect(try ask(server, "/none").head.hasPrefix("HTTP/1.1 404 Not Found"))
        let head = try LoopbackClient(port: server.port).exchange("HEAD /file HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(head.field("Content-Length") == "10")
        #expect(head.body == [])
    }

    @Test func aConnectionIsKeptAndTheLogTellsIt() throws {
        let server = try FaultServer(["/file": FaultResource(Self.bytes, fields: ["Cache-Control: max-age=60"])])
        let client = try LoopbackClient(port: server.port)
        client.send("GET /file?a HTTP/1.1\r\nHost: x\r\nX-Word: one two\r\n\r\n")
        let first = client.readAnswer()
        #expect(first.body == Self.bytes)
        #expect(first.field("Cache-Control") == "max-age=60")
        client.send("GET /file HTTP/1.1\r\nRange: bytes=8-\r\nConnection: close\r\n\r\n")
        let second = client.rest()
        #expect(second.body == Array("89".utf8))
        #expect(server.connections == 1)
        let log = server.requests
        #expect(log.map(\.isOnReusedConnection) == [false, true])
        #expect(log.map(\.target) == ["/file?a", "/file"])
        #expect(log.first?["x-word"] == "one two")
        #expect(log.last?["range"] == "bytes=8-")
        #expect(log.map(\.bodyBytesSent) == [10, 2])
        #expect(server.bytesOnTheWire == first.bytes.count + second.bytes.count)
    }

    @Test func aClientThatBeginsTLSIsSentAway() throws {
        for end in [FaultEnd.close, .reset] {
            let server = try FaultServer(handshake: end)
            let client = try LoopbackClient(port: server.port)
            client.send("\u{16}\u{3}\u{1}\u{0}\u{4}abcd")
            let answer = client.rest()
            #expect(answer.bytes == [])
            switch end {
            case .close: #expect(answer.end == .closed)
            case .reset: #expect(answer.end == .reset)
            }
            #expect(server.handshakes == 1)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func theServersEndIsTheEndOfItsConnections() throws {
        var server: FaultServer? = try FaultServer(["/file": FaultResource(Self.bytes)])
        server?.play([.stall(after: 4)], at: "/file")
        let client = try LoopbackClient(port: server?.port ?? 0)
        client.send("GET /file HTTP/1.1\r\n\r\n")
        while server?.requests.first?.bodyBytesSent != 4 { _ = client.read(1) }
        server = nil
        #expect(client.rest().end != .silent)
    }
}

/// Asks for one path on a connection of its own and reads to its end.
func ask(_ server: FaultServer, _ path: String, _ headers: [String] = []) throws -> LoopbackClient.Answer {
    let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + headers
    return try LoopbackClient(port: server.port).exchange(lines.map { $0 + "\r\n" }.joined() + "\r\n")
}

extension LoopbackClient.Answer {
    /// The first header of a name, spelt like this.
    func field(_ name: String) -> String? { fields(name).first }

    func fields(_ name: String) -> [String] {
        head.split(separator: "\r\n").filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}

/// Large arrays that differ are not taken apart by the test's framework, whose comparison of them has no end.
func expectSame(
    _ bytes: [UInt8], _ expected: [UInt8], _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let isSame = bytes == expected
    #expect(
        isSame, "\(comment) \(bytes.count) bytes that are not the \(expected.count) expected",
        sourceLocation: sourceLocation)
}
