import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

@Suite(.timeLimit(.minutes(10))) struct RequestLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func theLogTellsOfEveryRequestAndOfNoSecret() async throws {
        let server = try KeepAliveServer { head in
            head.hasPrefix("GET /a")
                ? KeepAliveServer.redirect(to: "http://bob:s3cret@127.0.0.9/../b?x")
                    .replacing("127.0.0.9/", with: head.firstMatch(of: /Host: (\S+)/).map { "\($0.1)/" } ?? "")
                : KeepAliveServer.ok("hello", ["Set-Cookie: s3cret", "X-Key: s3cret", "X-Other: \u{1b}[31mred"])
        }
        let lines = Lines()
        var options = RequestOptions()
        options.headers = [try RequestHeader("X-Key", "s3cret"), try RequestHeader("Cookie", "s3cret")]
        options.bearerToken = try BearerToken("s3cret")
        options.log = { lines.append($0) }
        let fixture = try GuardFixture(.open, options: options)
        _ = try await fixture.download("http://ada:s3cret@\(KeepAliveServer.host):\(server.port)/a")
        _ = try await fixture.download(server.url("/b"))
        let log = lines.all
        for line in log { #expect(!line.contains("s3cret") && !line.contains("\u{1b}"), "\(line)") }
        let port = server.port
        for line in [
            "GET http://127.0.0.9:\(port)/a", "> GET /a HTTP/1.1", "> Host: 127.0.0.9:\(port)", "> X-Key: ***",
            "> Cookie: ***", "> Authorization: ***", "< HTTP/1.1 302 Found",
            "< Location: http://127.0.0.9:\(port)/../b?x",
            "GET http://127.0.0.9:\(port)/b?x", "< HTTP/1.1 200 OK", "< Set-Cookie: ***", "< X-Key: ***",
            "< X-Other: \u{FFFD}[31mred",
        ] {
            #expect(log.contains(line), "\(line) is not in \(log)")
        }
        #expect(
            log.contains {
                $0.hasPrefix("status 302, 0 bytes in 0.") && $0.hasSuffix("(new connection); the rest was not wanted")
            })
        #expect(log.last?.hasPrefix("status 200, 5 bytes in 0.") == true)
        #expect(log.last?.hasSuffix(" s from 127.0.0.9 port \(port) (connection used again)") == true)
    }

    @Test func aFailureIsInTheLog() async throws {
        let lines = Lines()
        var options = RequestOptions()
        options.log = { lines.append($0) }
        options.faults.resolved = { ["name.test:80:10.0.0.1"] }
        let fixture = try GuardFixture(.closed, options: options)
        #expect(await fixture.failure(of: "http://ada:s3cret@name.test/")?.code == .downloadBlockedAddress)
        #expect(lines.all.first == "GET http://name.test/")
        #expect(lines.all.count == 2)
        #expect(lines.all.last?.hasPrefix("status 0, 0 bytes in ") == true)
        #expect(lines.all.last?.hasSuffix(" s; 10.0.0.1 is a private address") == true)
    }
}
