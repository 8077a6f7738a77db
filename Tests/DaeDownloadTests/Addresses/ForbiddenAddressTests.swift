// Spellings by which services were led into their own networks. Nothing here connects: what gets through is a failure.

import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

@Suite(.timeLimit(.minutes(10))) struct ForbiddenAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        /// What the message must say of it.
        let text: String
        var testDescription: String { url }

        init(_ url: String, _ text: String) {
            self.url = url
            self.text = text
        }
    }

    static let rows: [Row] = loopback + otherIPv4 + ipv6 + disguised + names

    @Test func theTableIsLongEnough() {
        #expect(Self.rows.count >= 60)
        #expect(Set(Self.rows.map(\.url)).count == Self.rows.count)
    }

    @Test(arguments: rows)
    func aForbiddenAddressIsRefused(_ row: Row) async throws {
        let error = try #require(await GuardFixture(.closed(.except()), options: Self.resolving).failure(of: row.url))
        expectBlocked(error, row)
        #expect(error.redirectedURL == nil)
    }

    @Test(arguments: rows)
    func aRedirectToAForbiddenAddressIsRefused(_ row: Row) async throws {
        let server = try KeepAliveServer { _ in KeepAliveServer.redirect(to: row.url) }
        let rules = try NetworkRules.except(KeepAliveServer.host)
        let fixture = try GuardFixture(.closed(rules), options: Self.resolving)
        let error = try #require(await fixture.failure(of: server.url("/")))
        expectBlocked(error, row)
        #expect(error.redirectedURL != nil)
        #expect(server.exchanges.count == 1)
    }

    private func expectBlocked(_ error: DownloadError, _ row: Row) {
        #expect(error.code == .downloadBlockedAddress, "\(error.message)")
        #expect(error.recovery == .nothing)
        #expect(error.message.contains(row.text), "\(error.message)")
        #expect(error.message.hasSuffix("; expected a public address (network policy: closed)"), "\(error.message)")
    }

    /// Names of the table, and what a name server would say.
    private static var resolving: RequestOptions {
        var options = RequestOptions()
        options.faults.resolved = {
            [
                "private.test:80:10.1.2.3", "metadata.test:80:169.254.169.254", "loop.test:80:127.0.0.1",
                "six.test:80:[::1]", "mapped.test:80:[::ffff:127.0.0.1]", "translated.test:80:[64:ff9b::7f00:1]",
                "several.test:80:10.0.0.1,[fd00::1],127.0.0.1", "secure.test:443:192.168.1.1",
                "local.test:80:[fe80::1]", "zero.test:80:0.0.0.0", "tunnel.test:80:[2002:7f00:1::1]",
                "odd.test:8080:100.64.0.1",
            ]
        }
        return options
    }

    static let loopback: [Row] = [
        "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7F.1", "0x7f.0x0.0x0.0x1",
        "0177.0.0.1", "0177.1", "017700000001", "127.0.0.1.", "127.00.0.01", "0x7f.0.1",
    ].map { Row("http://\($0)/model.zip", "is a loopback address") }

    static let otherIPv4: [Row] = [
        Row("http://0.0.0.0/", "0.0.0.0 is an address of this network"),
        Row("http://0/", "0.0.0.0 is an address of this network"),
        Row("http://0x0/", "is an address of this network"),
        Row("http://10.0.0.1/", "10.0.0.1 is a private address"),
        Row("http://012.1/", "10.0.0.1 is a private address"),
        Row("http://167772161/", "10.0.0.1 is a private address"),
        Row("http://172.16.0.1/", "is a private address"),
        Row("http://192.168.257/", "192.168.1.1 is a private address"),
        Row("http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address"),
        Row("http://2852039166/", "169.254.169.254 is a link-local address"),
        Row("http://0xa9fea9fe/", "is a link-local address"),
        Row("http://0251.0376.0251.0376/", "is a link-local address"),
        Row("http://100.100.100.200/", "shared by a carrier's customers"),
        Row("http://168.63.129.16/", "an address of a cloud's own services"),
        Row("http://192.0.0.192/", "is an address kept for protocols"),
        Row("http://192.0.2.1/", "is an address for documentation"),
        Row("http://192.88.99.1/", "is a 6to4 address"),
        Row("http://198.18.0.1/", "is an address for benchmarks"),
        Row("http://224.0.0.1/", "is a multicast address"),
        Row("http://240.0.0.1/", "is a reserved address"),
        Row("http://255.255.255.255/", "is the broadcast address"),
        Row("http://4294967295/", "is the broadcast address"),
    ]

    static let ipv6: [Row] = [
        Row("http://[::]/", ":: is an address of this network"),
        Row("http://[::1]/", "::1 is a loopback address"),
        Row("http://[0:0:0:0:0:0:0:1]/", "::1 is a loopback address"),
        Row("http://[0000::0001]:80/", "::1 is a loopback address"),
        Row("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1 is an IPv4-mapped address"),
        Row("http://[::FFFF:7F00:1]/", "::ffff:127.0.0.1 is an IPv4-mapped address"),
        Row("http://[0:0:0:0:0:ffff:a9fe:a9fe]/", "is an IPv4-mapped address"),
        Row("http://[::127.0.0.1]/", "::127.0.0.1 is an IPv4-compatible address"),
        Row("http://[::ffff:0:127.0.0.1]/", "is an IPv4-translated address"),
        Row("http://[64:ff9b::127.0.0.1]/", "64:ff9b::7f00:1 is a loopback address"),
        Row("http://[64:ff9b::a9fe:a9fe]/", "64:ff9b::a9fe:a9fe is a link-local address"),
        Row("http://[64:ff9b:1::7f00:1]/", "is an address for a translator of the local network"),
        Row("http://[2002:7f00:1::]/", "is a 6to4 address"),
        Row("http://[2001:0:7f00:1::]/", "is a Teredo address"),
        Row("http://[fe80::1]/", "fe80::1 is a link-local address"),
        Row("http://[fe80::1%25lo]/", "fe80::1 is a link-local address"),
        Row("http://[fe80::1%lo]/", "fe80::1 is a link-local address"),
        Row("http://[fc00::1]/", "is a private address"),
        Row("http://[fd00:ec2::254]/", "fd00:ec2::254 is a private address"),
        Row("http://[fec0::1]/", "is a site-local address"),
        Row("http://[ff02::1]/", "is a multicast address"),
        Row("http://[100::1]/", "is an address that discards"),
        Row("http://[2001:db8::1]/", "is an address for documentation"),
        Row("http://[3fff::1]/", "is an address for documentation"),
        Row("http://[5f00::1]/", "is a reserved address"),
    ]

    static let disguised: [Row] = [
        Row("http://%31%32%37.0.0.1/", "127.0.0.1 is a loopback address"),
        Row("http://127%2e0%2e0%2e1/", "127.0.0.1 is a loopback address"),
        Row("http://%30x7f.1/", "127.0.0.1 is a loopback address"),
        Row("http://①②⑦.⓪.⓪.①/", "127.0.0.1 is a loopback address"),
        Row("http://１２７.０.０.１/", "127.0.0.1 is a loopback address"),
        Row("http://127。0。0。1/", "127.0.0.1 is a loopback address"),
        Row("http://example.org@127.0.0.1/", "127.0.0.1 is a loopback address"),
        Row("http://example.org:80@10.0.0.1/", "10.0.0.1 is a private address"),
        Row("http://example.org%23@127.0.0.1/", "127.0.0.1 is a loopback address"),
        Row("http://a%40example.org@127.0.0.1/", "127.0.0.1 is a loopback address"),
        Row("http://127.0.0.1#@example.org/", "127.0.0.1 is a loopback address"),
        Row("http://127.0.0.1?@example.org/", "127.0.0.1 is a loopback address"),
        Row("http://127.0.0.1:22/", "127.0.0.1 is a loopback address"),
        Row("HTTP://127.0.0.1:080/", "127.0.0.1 is a loopback address"),
        Row("hTTpS://127.0.0.1/", "127.0.0.1 is a loopback address"),
    ]

    static let names: [Row] = [
        Row("http://localhost/", "localhost names a loopback address"),
        Row("http://LocalHost:8080/", "LocalHost names a loopback address"),
        Row("http://localhost./", "localhost. names a loopback address"),
        Row("http://a.b.localhost/", "a.b.localhost names a loopback address"),
        Row("http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "names a loopback address"),
        Row("http://private.test/", "10.1.2.3 is a private address"),
        Row("http://metadata.test/latest/", "169.254.169.254 is a link-local address"),
        Row("http://loop.test/", "127.0.0.1 is a loopback address"),
        Row("http://six.test/", "::1 is a loopback address"),
        Row("http://mapped.test/", "::ffff:127.0.0.1 is an IPv4-mapped address"),
        Row("http://translated.test/", "64:ff9b::7f00:1 is a loopback address"),
        Row("http://several.test/", "is a private address"),
        Row("https://secure.test/", "192.168.1.1 is a private address"),
        Row("http://local.test/", "fe80::1 is a link-local address"),
        Row("http://zero.test/", "0.0.0.0 is an address of this network"),
        Row("http://tunnel.test/", "2002:7f00:1::1 is a 6to4 address"),
        Row("http://odd.test:8080/", "100.64.0.1 is an address shared"),
    ]
}

// MARK: - The same under the open policy, and what lies between

extension ForbiddenAddressTests {
    @Test(arguments: [
        "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "%31%32%37.0.0.1",
        "①②⑦.⓪.⓪.①", "127。0。0。1", "example.org@127.0.0.1", "loop.test",
    ])
    func theOpenPolicyLetsLoopbackThrough(host: String) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        let port = server.port
        var options = RequestOptions()
        options.faults.resolved = { ["loop.test:\(port):127.0.0.1"] }
        let fixture = try GuardFixture(.open, options: options)
        #expect(try await fixture.download(server.url("/model.zip", host: host)).size == 1)
    }

    @Test func anExceptionLetsItsBlockThroughAndNothingBeside() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        let fixture = try GuardFixture(.closed(.except("127.0.0.0/30")))
        #expect(try await fixture.download(server.url("/")).size == 1)
        #expect(try await fixture.download(server.url("/", host: "localhost")).size == 1)
        #expect(await fixture.failure(of: server.url("/", host: "127.0.0.4"))?.code == .downloadBlockedAddress)
    }

    @Test func aNameThatChangesItsAnswerIsJudgedAtEveryConnection() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        let port = server.port
        let answers = Answers(["127.0.0.1", "127.0.0.2", "10.0.0.1", "127.0.0.1"])
        var options = RequestOptions()
        options.faults.resolved = { ["rebind.test:\(port):\(answers.next())"] }
        let fixture = try GuardFixture(.closed(.except("127.0.0.1")), options: options)
        let url = server.url("/", host: "rebind.test")
        #expect(try await fixture.download(url).size == 1)
        #expect(await fixture.failure(of: url)?.message.contains("127.0.0.2 is a loopback address") == true)
        #expect(await fixture.failure(of: url)?.message.contains("10.0.0.1 is a private address") == true)
        #expect(try await fixture.download(url).size == 1)
        #expect(server.requests.count == 2)
    }

    @Test func aNameWithOneGoodAddressIsReachedByThatOne() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: [7]) }
        let port = server.port
        var options = RequestOptions()
        options.faults.resolved = { ["both.test:\(port):10.0.0.1,127.0.0.1"] }
        let fixture = try GuardFixture(.closed(.except("127.0.0.1")), options: options)
        #expect(try await fixture.download(server.url("/", host: "both.test")).size == 1)
    }

    @Test func aGoodAddressThatRefusesIsAFailedConnectionAndNoBlockedOne() async throws {
        let taken = try Listener(accepts: false)
        let port = taken.port
        var options = RequestOptions()
        options.faults.resolved = { ["both.test:\(port):10.0.0.1,127.0.0.1"] }
        let fixture = try GuardFixture(.closed(.except("127.0.0.1")), options: options)
        let error = try #require(await fixture.failure(of: "http://both.test:\(port)/"))
        #expect(error.code == .downloadConnectionFailed)
        #expect(error.recovery == .resume)
    }
}

/// Answers of a name server, one a question; the last stands.
private final class Answers: Sendable {
    private let left: Mutex<[String]>

    init(_ answers: [String]) { left = Mutex(answers) }

    func next() -> String { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
}
