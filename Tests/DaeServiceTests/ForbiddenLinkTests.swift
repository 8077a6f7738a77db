// The addresses by which services were led into their own networks, as a stranger would hand them over. Those that differ
// in spelling alone are in the tests of Download, all of them; here stands what the service makes of each kind.

import Daedalus
import Glibc
import TestSupport
import Testing

/// Links into the service's own network.
@Suite(.timeLimit(.minutes(10))) struct ForbiddenLinkTests {
    private let folder: TemporaryFolder
    private let target: FaultServer

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path + "/data", 0o700)
        target = try FaultServer(["/a.zip": FaultResource(try Repository.fixture("bundles/walker.zip"))])
    }

    /// Hosts that are this machine's, its network's, or nobody's.
    static let hosts = [
        "127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "127.0.0.1.",
        "0.0.0.0", "0", "localhost", "LOCALHOST.", "a.localhost", "10.0.0.1", "167772161", "012.1", "172.16.0.1",
        "192.168.257", "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "100.100.100.200",
        "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd00:ec2::254]",
        "[ff02::1]", "[2001:db8::1]", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "①②⑦.⓪.⓪.①", "127。0。0。1",
        "example.org@127.0.0.1", "example.org%23@127.0.0.1",
    ]

    /// An address for documentation: so that any port may be asked for, and this machine's own all the same may not.
    private static let elsewhere = ["--allow-addresses", "203.0.113.0/24", "--workers", "4"]

    @Test func whatLeadsInwardsIsRefusedAndNothingIsFetched() async throws {
        let service = try ServiceProcess(data: folder.path + "/data", Self.elsewhere)
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        // The name of this machine leads to an address of its own, by the resolver.
        var hosts = Self.hosts
        var name = [CChar](repeating: 0, count: 256)
        if gethostname(&name, name.count) == 0, Self.isPrivate(name) {
            hosts.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        var added: [(host: String, id: AssetID)] = []
        for host in hosts {
            do {
                added.append((host, try await client.add(url: "http://\(host):\(target.port)/a.zip").id))
            } catch {
                // What is written in it is seen at once.
                #expect(error.problem?.status == 400, "\(host)")
                #expect(error.problem?.code == .downloadBlockedAddress, "\(host)")
            }
        }
        // The rest are names, which only a look-up can tell.
        #expect(added.allSatisfy { !Self.hosts.contains($0.host) }, "\(added.map(\.host))")
        for (host, id) in added {
            let failure = try await client.settled(id).state.failure
            #expect(failure?.code == .downloadBlockedAddress, "\(host): \(failure?.message ?? "ready")")
            #expect(failure?.resume == nil)
            await #expect(throws: AssetServiceError.self) {
                try await client.original(id, to: folder.path + "/original")
            }
        }
        #expect(target.connections == 0)
        let lines = service.logText.split(separator: "\n").filter { $0.contains("DOWNLOAD_BLOCKED_ADDRESS") }
        for (host, id) in added {
            #expect(lines.contains { $0.contains(id.text) }, "\(host) is not in the log")
        }
    }

    /// Whether a name leads to loopback.
    private static func isPrivate(_ name: [CChar]) -> Bool {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0, let found else { return false }
        defer { freeaddrinfo(found) }
        guard let address = found.pointee.ai_addr else { return false }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
        }
    }

    @Test func aRedirectInwardsIsRefused() async throws {
        let places = [
            "http://0.0.0.0", "http://127.0.0.2", "http://[::1]", "http://[::ffff:127.0.0.1]", "http://0x7f.2",
            "http://169.254.169.254", "http://10.0.0.1", "file://", "gopher://127.0.0.1", "https://127.0.0.3",
        ]
        let service = try ServiceProcess(
            data: folder.path + "/data", ["--allow-addresses", "127.0.0.1/32", "--workers", "4"])
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        var added: [(place: String, id: AssetID)] = []
        for (number, place) in places.enumerated() {
            target.play([.redirect(to: .text("\(place):\(target.port)/a.zip"))], at: "/\(number).zip")
            let url = "http://127.0.0.1:\(target.port)/\(number).zip"
            added.append((place, try await client.add(url: url).id))
        }
        for (place, id) in added {
            let failure = try await client.settled(id).state.failure
            let isWeb = place.hasPrefix("http")
            let code = isWeb ? FindingCode.downloadBlockedAddress : .downloadURLInvalid
            #expect(failure?.code == code, "\(place): \(failure?.message ?? "ready")")
        }
        // Each was asked for once, and nothing that they led to.
        #expect(target.requests.map(\.path).sorted() == places.indices.map { "/\($0).zip" }.sorted())
    }

    @Test func onlyTheWebIsASource() async throws {
        let urls = [
            "file:///etc/passwd", "FILE:///etc/passwd", "gopher://127.0.0.1:70/_x", "ftp://127.0.0.1/a.zip",
            "dict://127.0.0.1:11211/stat", "ldap://127.0.0.1", "jar:http://127.0.0.1!/", "data:text/plain,a",
            "//127.0.0.1/a", "/etc/passwd", "../a.zip", "-", "", "http://127.0.0.1/a.zip!/b.dae", "unix:///run/x",
        ]
        let service = try ServiceProcess(data: folder.path + "/data")
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        for url in urls {
            await #expect { try await client.add(url: url) } throws: {
                let problem = ($0 as? AssetServiceError)?.problem
                return problem?.status == 400 && problem?.code == .downloadURLInvalid
            }
        }
        #expect(try await client.assets().assets.isEmpty)
        for url in ["http://1.1.1.1:22/a.zip", "https://1.1.1.1:8443/a.zip"] {
            await #expect { try await client.add(url: url) } throws: {
                let problem = ($0 as? AssetServiceError)?.problem
                return problem?.status == 400 && problem?.code == .downloadBlockedAddress
            }
        }
        #expect(try await client.assets().assets.isEmpty)
    }
}
