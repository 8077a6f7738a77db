import DaeDiagnostics
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

/// What a proxy is asked for is seen by a plain server that stands for one.
@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    @Test func theOperatorsProxyIsUsedWhateverTheEnvironmentExcepts() async throws {
        // The server has set no_proxy to everything.
        let proxy = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        var rules = NetworkRules()
        rules.proxy = "http://127.0.0.1:\(proxy.port)"
        var options = RequestOptions()
        options.headers = [try RequestHeader("X-Key", "key")]
        let fixture = try GuardFixture(.closed(rules), options: options)
        #expect(try await fixture.download("http://ada:pass@name.invalid/model.zip").size == 1)
        let request = try #require(proxy.requests.first)
        #expect(request.target == "http://name.invalid/model.zip")
        #expect(request["x-key"] == "key")
        #expect(request["host"] == "name.invalid")
    }

    @Test(arguments: ["http://127.0.0.1/", "http://0x7f.1/", "http://localhost/", "http://[::1]/", "http://10.0.0.1/"])
    func behindAProxyAForbiddenAddressIsStillRefused(url: String) async throws {
        let proxy = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        var rules = NetworkRules()
        rules.proxy = "http://127.0.0.1:\(proxy.port)"
        #expect(try await GuardFixture(.closed(rules)).failure(of: url)?.code == .downloadBlockedAddress)
        #expect(proxy.requests.isEmpty)
    }

    @Test func variablesOfTheEnvironmentDoNotHoldForTheClosedPolicy() async throws {
        let server = try KeepAliveServer { _ in KeepAliveServer.ok("hello") }
        let fixture = try GuardFixture(.closed(.except(KeepAliveServer.host)))
        #expect(getenv("http_proxy").map { String(cString: $0) } == GuardFixture.deadProxy)
        #expect(try await fixture.download(server.url("/")).size == 5)
        #expect(server.exchanges[0].head.hasPrefix("GET / HTTP/1.1\r\n"))
    }
}
