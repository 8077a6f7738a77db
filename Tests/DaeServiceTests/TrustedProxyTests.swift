import TestSupport
import Testing

@testable import DaeService

/// Behind a proxy each client counts for itself.
@Suite struct TrustedProxyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        // Nobody's word is taken but a trusted proxy's.
        ("198.51.100.9", ["203.0.113.7"], "198.51.100.9"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", ["203.0.113.7"], "203.0.113.7"),
        ("::ffff:10.1.2.3", ["203.0.113.7"], "203.0.113.7"),
        // What a client wrote itself stands before what the proxy adds.
        ("10.1.2.3", ["192.0.2.1, 203.0.113.7"], "203.0.113.7"),
        ("10.1.2.3", ["192.0.2.1", "203.0.113.7"], "203.0.113.7"),
        ("10.1.2.3", ["203.0.113.7 ,\t10.9.9.9 , 10.8.8.8"], "203.0.113.7"),
        ("10.1.2.3", ["10.9.9.9,10.8.8.8"], "10.9.9.9"),
        ("10.1.2.3", ["203.0.113.7, unknown"], "10.1.2.3"),
        ("10.1.2.3", ["203.0.113.7, unknown, 10.9.9.9"], "10.9.9.9"),
        ("10.1.2.3", [""], "10.1.2.3"), ("10.1.2.3", [",,,"], "10.1.2.3"),
        ("10.1.2.3", ["203.0.113.7:4711"], "203.0.113.7"),
        ("10.1.2.3", ["[2001:db8::1]:443"], "2001:db8::1"), ("fd00::1", ["2001:db8::1"], "2001:db8::1"),
        ("10.1.2.3", ["[2001:db8::1"], "10.1.2.3"), ("10.1.2.3", ["203.0.113.7/8"], "10.1.2.3"),
    ])
    func theLastAddressThatIsNoProxysIsTheClients(_ peer: String, _ forwarded: [String], _ client: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "fd00::/8"])
        #expect(proxies.client(peer: peer, forwarded: forwarded) == client)
        #expect(try TrustedProxies([]).client(peer: peer, forwarded: forwarded) == peer)
        #expect(proxies.client(peer: nil, forwarded: forwarded) == nil)
    }

    @Test func aBlockThatIsNoneIsRefused() throws {
        let run = try ServiceProcess.run(["serve", "--trusted-proxies", "nginx", "--data", folder.path])
        #expect(run.code == 64)
        #expect(run.errors.contains("--trusted-proxies: "))
    }

    private func statuses(_ port: UInt16, _ addresses: [String]) throws -> [Int] {
        try addresses.map { address in
            try ServiceClient(port: port).get("/v1/assets", headers: ["X-Forwarded-For": address]).status
        }
    }

    @Test(.enabled(if: NginxServer.isInstalled, "needs nginx")) func clientsBehindNginxCountForThemselves() throws {
        let options = ["--rate", "1", "--burst", "2"]
        let service = try ServiceProcess(data: folder.path, options + ["--trusted-proxies", "127.0.0.0/8"])
        let proxy = try NginxServer(
            settings: """
                location / {
                    proxy_pass http://127.0.0.1:\(service.port);
                    proxy_set_header Host localhost;
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                }
                """)
        // Of IPv6 a client has many.
        let addresses = [
            "203.0.113.1", "203.0.113.2", "203.0.113.1", "203.0.113.2", "2001:db8::1", "2001:db8::2", "2001:db8::3",
            "203.0.113.1",
        ]
        #expect(try statuses(proxy.port, addresses) == [200, 200, 200, 200, 200, 200, 429, 429])
        #expect(service.logged("refused").last?["address"]?.string == "203.0.113.1")

        let other = try TemporaryFolder()
        let plain = try ServiceProcess(data: other.path, options)
        #expect(try statuses(plain.port, ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) == [200, 200, 429])
        #expect(plain.logged("refused").last?["address"]?.string == "127.0.0.1")
    }
}
