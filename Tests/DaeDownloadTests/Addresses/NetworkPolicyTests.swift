import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeDownload

@Suite(.timeLimit(.minutes(10))) struct NetworkPolicyTests {
    @Test(arguments: [
        "http://example.org/", "https://example.org/", "http://example.org:80/", "https://example.org:443/x",
        "http://1.1.1.1/", "https://[2606:4700::1111]/", "http://[64:ff9b::1.1.1.1]/", "HTTPS://Example.Org./",
        "http://localhost.example.org/", "http://notlocalhost/",
    ])
    func whatIsPublicPassesTheClosedPolicy(url: String) throws {
        try NetworkPolicy.closed.check(WebAddress(url))
    }

    @Test(arguments: [
        ("http://example.org:8080/", "port 8080 is not allowed; expected one of 80, 443 (network policy: closed)"),
        ("https://example.org:22/", "port 22 is not allowed"), ("http://127.0.0.1:6379/", "port 6379 is not allowed"),
        ("http://example.org:0/", "port 0 is not allowed"),
    ])
    func otherPortsAreRefusedBeforeALookUp(url: String, text: String) async throws {
        try await expectBlocked(url, NetworkRules(), text)
    }

    @Test func httpIsRefusedWhereOnlyHTTPSMayBe() async throws {
        var rules = NetworkRules()
        rules.schemes = .httpsOnly
        try await expectBlocked("http://name.invalid/", rules, "http is not allowed; expected https (network")
        try NetworkPolicy.closed(rules).check(WebAddress("https://example.org/"))
    }

    @Test(arguments: [
        ("http://evil.test/", "the host evil.test is denied; expected another host"),
        ("http://EVIL.test./", "is denied"), ("http://a.bad.example/", "is denied"), ("http://9.9.9.9/", "is denied"),
        ("http://151060737/", "is denied"), ("http://[64:ff9b::9.9.9.9]/", "is denied"),
    ])
    func aDeniedHostIsRefused(url: String, text: String) async throws {
        var rules = NetworkRules()
        rules.deniedHosts = try ["evil.test", ".bad.example", "9.0.0.0/8"].map { try HostPattern($0) }
        try await expectBlocked(url, rules, text)
    }

    @Test(arguments: [
        ("http://other.test/", "the host other.test is not among those allowed"),
        ("http://models.test.evil.test/", "is not among those allowed"),
        ("http://1.1.1.2/", "1.1.1.2 is not among those allowed"),
        ("http://x.evil.models.test/", "is denied"),
    ])
    func aHostThatIsNotOnTheListIsRefused(url: String, text: String) async throws {
        var rules = NetworkRules()
        rules.hosts = .only(try [".models.test", "1.1.1.1"].map { try HostPattern($0) })
        rules.deniedHosts = [try HostPattern(".evil.models.test")]
        try await expectBlocked(url, rules, text)
        try NetworkPolicy.closed(rules).check(WebAddress("http://a.models.test/"))
        try NetworkPolicy.closed(rules).check(WebAddress("http://1.1.1.1/"))
    }

    @Test func aDeniedBlockHoldsForNamesThatLeadThere() async throws {
        var rules = try NetworkRules.except("127.0.0.1")
        rules.deniedHosts = [try HostPattern("127.0.0.0/8")]
        var options = RequestOptions()
        options.faults.resolved = { ["name.test:80:127.0.0.1"] }
        try await expectBlocked("http://name.test/", rules, options: options, "the host 127.0.0.1 is denied")
        rules.addresses = .any
        try await expectBlocked("http://name.test/", rules, options: options, "the host 127.0.0.1 is denied")
    }

    @Test func anyAddressMeansPrivateOnesToo() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        var rules = NetworkRules()
        rules.ports = .only([server.port])
        rules.addresses = .any
        let fixture = try GuardFixture(.closed(rules))
        #expect(try await fixture.download(server.url("/")).size == 1)
        #expect(try await fixture.download(server.url("/", host: "localhost")).size == 1)
    }

    @Test func aRedirectPassesTheRulesAgain() async throws {
        let server = try KeepAliveServer { _ in KeepAliveServer.redirect(to: "http://127.0.0.9:1/") }
        var rules = try NetworkRules.except("127.0.0.9")
        rules.ports = .only([server.port])
        let error = try #require(await GuardFixture(.closed(rules)).failure(of: server.url("/")))
        #expect(error.code == .downloadBlockedAddress)
        #expect(error.redirectedURL == "http://127.0.0.9:1/")
        #expect(error.message.contains("(redirected to http://127.0.0.9:1/): port 1 is not allowed"))
    }

    @Test func theClosedPolicyKeepsEncryption() throws {
        let start = try WebAddress("https://example.org/a")
        var hops = Hops(from: start, under: .closed)
        let error = #expect(throws: DownloadFailure.self) {
            try hops.follow(Array("http://example.org/b".utf8), atMost: 9)
        }
        #expect(error?.code == .downloadBlockedAddress)
        #expect(error?.observed == "redirected from https to http")
        #expect(hops.address.display == "http://example.org/b")
        var open = Hops(from: start, under: .open)
        try open.follow(Array("http://example.org/b".utf8), atMost: 9)
        #expect(open.credentials == .dropped)
    }

    private func expectBlocked(
        _ url: String, _ rules: NetworkRules, options: RequestOptions = RequestOptions(), _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let fixture = try GuardFixture(.closed(rules), options: options)
        let error = try #require(await fixture.failure(of: url, sourceLocation: sourceLocation))
        #expect(error.code == .downloadBlockedAddress, sourceLocation: sourceLocation)
        #expect(error.recovery == .nothing, sourceLocation: sourceLocation)
        #expect(error.message.contains(text), "\(error.message)", sourceLocation: sourceLocation)
    }
}
