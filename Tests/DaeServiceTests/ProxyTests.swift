import Glibc
import TestSupport
import Testing

enum ProxyKind: String, CaseIterable {
    case nginx, caddy

    static let hasTools = NginxServer.hasOpenSSL && ChildProcess.find("curl") != nil
    static let installed = hasTools ? allCases.filter { ChildProcess.find($0.rawValue) != nil } : []
}

/// The service behind the proxies whose settings the repository has, by TLS and below a path: real ones, with these settings
/// but for their addresses.
@Suite(.enabled(if: !ProxyKind.installed.isEmpty, "needs curl, openssl, and nginx or Caddy"))
struct ProxyTests {
    private let folder: TemporaryFolder
    private let place: TemporaryFolder
    private let service: ServiceProcess
    private let certificate: Certificate
    private static let name = "models.example.org"

    init() throws {
        (folder, place) = (try TemporaryFolder(), try TemporaryFolder())
        certificate = try Certificate(in: place, names: "DNS:\(Self.name)")
        service = try ServiceProcess(
            data: folder.path,
            [
                "--host", "unix:\(place.path)/daed.sock", "--base-path", "/models", "--public-host", Self.name,
                "--trusted-proxies", "unix", "--access-log", "on",
            ])
    }

    enum Way: CaseIterable { case whole, stripped }

    struct NotAsExpected: Error { let what: String }

    /// The repository's file with what a test has otherwise, each of which stands in it once.
    private func settings(_ file: String, _ changes: [(String, String)]) throws -> String {
        var text = String(
            decoding: try Repository.bytes(at: "\(Repository.root)/scripts/service/\(file)"), as: UTF8.self)
        // What it says of the service's own settings is what the service has here.
        for line in ["DAED_BASE_PATH=/models", "DAED_PUBLIC_HOST=\(Self.name)", "DAED_TRUSTED_PROXIES=unix"] {
            guard text.contains("#     \(line)\n") else { throw NotAsExpected(what: line) }
        }
        text = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        for (old, new) in changes {
            guard text.ranges(of: old).count == 1 else { throw NotAsExpected(what: old) }
            text = text.replacing(old, with: new)
        }
        return text
    }

    /// A proxy that runs. A class because it owns the process.
    final class Running {
        let port: UInt16
        private let nginx: NginxServer?
        private let child: pid_t?

        init(_ nginx: NginxServer) { (port, self.nginx, child) = (nginx.port, nginx, nil) }
        init(_ child: pid_t, port: UInt16) { (self.port, nginx, self.child) = (port, nil, child) }

        deinit {
            guard let child else { return }
            kill(child, SIGKILL)
            _ = Program.wait(for: child)
        }
    }

    /// What a chapter has for several nodes, of which it names two.
    private func nodes(_ kind: ProxyKind, _ ports: [UInt16]) throws -> String {
        let path = Repository.root + "/Sources/Daedalus/Daedalus.docc/Operations.md"
        let chapter = String(decoding: try Repository.bytes(at: path), as: UTF8.self)
        let first = kind == .nginx ? "upstream daed {" : "reverse_proxy 10.0.0.11:8080 "
        let block = chapter.split(separator: "```").first { $0.contains(first) }
        guard let text = block?.split(separator: "\n").drop(while: { !$0.hasPrefix(first) }).joined(separator: "\n")
        else { throw NotAsExpected(what: first) }
        return zip(["10.0.0.11:8080", "10.0.0.12:8080"], ports).reduce(text) { text, change in
            text.replacing(change.0, with: "127.0.0.1:\(change.1)")
        }
    }

    /// - Parameters:
    ///   - way: Whether it hands requests on with the base path, or without it.
    ///   - ports: Of several nodes, in place of the one at the socket.
    private func start(_ kind: ProxyKind, _ way: Way = .whole, ports: [UInt16] = []) throws -> Running {
        let socket = place.path + "/daed.sock"
        let several = try ports.isEmpty ? nil : nodes(kind, ports)
        switch kind {
        case .nginx:
            let one =
                "upstream daed {\n    server unix:/run/daed/daed.sock;\n"
                + "    # The connections of its streams are not among them.\n    keepalive 16;\n}"
            let changes = [
                (one, several ?? one.replacing("/run/daed/daed.sock", with: socket)),
                ("/etc/ssl/models.example.org.pem", certificate.chain),
                ("/etc/ssl/private/models.example.org.key", certificate.key),
                ("proxy_pass http://daed;", "proxy_pass http://daed\(way == .whole ? "" : "/");"),
            ]
            let text = try settings("nginx.conf", changes)
            return Running(
                try NginxServer { text.replacing("listen 443 ssl", with: "listen 127.0.0.1:\($0) ssl") })
        case .caddy:
            let listener = try Listener()
            let port = listener.port
            close(listener.descriptor)
            let text = try settings(
                "Caddyfile",
                [
                    ("\(Self.name) {", "\(Self.name):\(port) {\n\ttls \(certificate.chain) \(certificate.key)"),
                    ("reverse_proxy unix//run/daed/daed.sock", several ?? "reverse_proxy unix/\(socket)"),
                    ("handle /models/*", "\(way == .whole ? "handle" : "handle_path") /models/*"),
                ])
            let options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
            let file = try place.write(options + text, to: "Caddyfile")
            let child = try Program.start(
                ["run", "--config", file, "--adapter", "caddyfile"], errors: place.path + "/caddy.log",
                environment: ["HOME": place.path, "XDG_DATA_HOME": place.path], program: "caddy")
            let running = Running(child, port: port)
            _ = try eventually("a proxy") { try? LoopbackClient(port: port) }
            return running
        }
    }

    private struct Answer {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]
    }

    private func arguments(_ proxy: Running, _ path: String, _ options: [String]) -> [String] {
        [
            "--silent", "--show-error", "--path-as-is", "--cacert", certificate.authority, "--resolve",
            "\(Self.name):\(proxy.port):127.0.0.1", "https://\(Self.name):\(proxy.port)\(path)",
        ] + options
    }

    private func ask(_ proxy: Running, _ path: String, _ options: [String] = []) throws -> Answer {
        let head = place.path + "/head"
        let run = try Program.run(
            arguments(proxy, path, ["--dump-header", head] + options), program: "curl")
        guard run.code == 0 else { throw NotAsExpected(what: run.errors) }
        var lines = String(decoding: try Repository.bytes(at: head), as: UTF8.self).split(separator: "\r\n")[...]
        // An interim answer stands before the last.
        if let last = lines.lastIndex(where: { $0.hasPrefix("HTTP/") }) { lines = lines[last...] }
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
        }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, headers: Dictionary(fields) { first, _ in first }, body: run.output)
    }

    @Test(arguments: ProxyKind.installed, Way.allCases)
    func whatTheServiceGivesIsHadThroughIt(_ kind: ProxyKind, _ way: Way) throws {
        let proxy = try start(kind, way)
        let walker = Repository.root + "/Fixtures/bundles/walker.zip"
        // Nobody's word on where it comes from is taken but the proxy's.
        let added = try ask(
            proxy, "/models/v1/assets?name=walker.zip",
            ["--data-binary", "@\(walker)", "--header", "X-Forwarded-For: 203.0.113.9"])
        #expect(added.status == 201)
        let location = try #require(added.headers["location"])
        #expect(location.hasPrefix("/models/v1/assets/"))
        #expect(service.logged("action").first?["address"] == "127.0.0.1")
        _ = try eventually("its end") {
            let state = try JSONNode(parsing: ask(proxy, location).body)["state"]?["state"]
            return state == "ready" ? true : nil
        }
        let order = #"{"files": ["textures/skin tone.png"]}"#
        let links = try JSONNode(parsing: ask(proxy, location + "/links", ["--data", order]).body)["links"]
        for name in ["model.glb", "original", "files/textures/skin tone.png"] {
            let link = try #require(links?[name]?.string)
            #expect(try ask(proxy, link).status == 200, "\(link)")
            #expect(try ask(proxy, link + "0").status == 403)
        }
        #expect(try ask(proxy, "/models").headers["location"]?.hasSuffix("/models/") == true)
        #expect(try ask(proxy, "/models/").status == 200)
        #expect(try ask(proxy, "/models/healthz").status == 200)
        #expect(try ask(proxy, "/v1/assets").status != 201)
        let log = service.logged("request").filter { $0["method"] == "POST" }
        #expect(log.first?["address"] == "127.0.0.1")
    }

    @Test(arguments: ProxyKind.installed) func oneOfSeveralNodesMayEnd(_ kind: ProxyKind) throws {
        let options = [
            "--base-path", "/models", "--public-host", Self.name, "--trusted-proxies", "127.0.0.1/32", "--access-log",
            "on",
        ]
        let nodes = try (0..<2).map { _ in try ServiceProcess(data: folder.path, options) }
        let proxy = try start(kind, ports: nodes.map(\.port))
        func addAndRead(_ count: Int) throws {
            for _ in 0..<count {
                let client = ["--interface", "127.0.0.2"]
                let added = try ask(proxy, "/models/v1/assets?name=a.zip", ["--data-binary", "no model"] + client)
                #expect(added.status == 201)
                #expect(try ask(proxy, try #require(added.headers["location"]), client).status == 200)
            }
        }
        try addAndRead(8)
        for node in nodes {
            // But for what the proxy asks to see whether it is there.
            let asked = node.logged("request").filter { $0["path"]?.string?.hasPrefix("/v1/") == true }
            #expect(!asked.isEmpty && asked.allSatisfy { $0["address"] == "127.0.0.2" })
        }
        #expect(nodes[0].end(SIGKILL) == -SIGKILL)
        // Caddy has to find it gone: what has a body it does not send twice.
        if kind == .caddy { usleep(3_000_000) }
        try addAndRead(8)
    }

    @Test(arguments: ProxyKind.installed) func eventsComeWhenTheyHappen(_ kind: ProxyKind) throws {
        let proxy = try start(kind)
        let output = place.path + "/events"
        let watcher = try Program.start(
            arguments(proxy, "/models/v1/events", ["--no-buffer"]), output: output, program: "curl")
        defer {
            kill(watcher, SIGKILL)
            _ = Program.wait(for: watcher)
        }
        _ = try eventually("a stream") {
            service.logged("request").contains { $0["path"] == "/v1/events" } ? true : nil
        }
        let added = try ask(proxy, "/models/v1/assets?name=a.zip", ["--data-binary", "no model"])
        #expect(added.status == 201)
        _ = try eventually("the event while the stream is open") {
            String(decoding: try Repository.bytes(at: output), as: UTF8.self).contains("\"state\":\"failed\"")
                ? true : nil
        }
        var status: Int32 = 0
        #expect(waitpid(watcher, &status, WNOHANG) == 0)
    }

    @Test(arguments: ProxyKind.installed) func aLargeFileGoesInByPiecesAndComesOutWhole(_ kind: ProxyKind) throws {
        let proxy = try start(kind)
        var generator = SystemRandomNumberGenerator()
        let block = (0..<(1 << 17)).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        let pieces = [20, 30].map { Array(repeatElement(block, count: $0).joined()) }
        let length = pieces.reduce(0) { $0 + $1.count }
        #expect(length == 50 << 20)
        let tus = ["--header", "Tus-Resumable: 1.0.0"]
        let begun = try ask(
            proxy, "/models/v1/uploads", tus + ["--request", "POST", "--header", "Upload-Length: \(length)"])
        let upload = try #require(begun.headers["location"])
        var (offset, asset): (Int, String?) = (0, nil)
        for (number, piece) in pieces.enumerated() {
            let file = try place.write(piece, to: "piece-\(number)")
            let answer = try ask(
                proxy, upload,
                tus + [
                    "--request", "PATCH", "--data-binary", "@\(file)", "--header", "Upload-Offset: \(offset)",
                    "--header", "Content-Type: application/offset+octet-stream",
                ])
            #expect(answer.status == 204)
            offset += piece.count
            asset = answer.headers["asset-location"]
        }
        let location = try #require(asset)
        let whole = try ask(proxy, location + "/original")
        #expect(whole.status == 200)
        #expect(whole.body == pieces[0] + pieces[1])
        let part = try ask(proxy, location + "/original", ["--range", "1000-1999"])
        #expect(part.status == 206)
        #expect(part.body == Array(whole.body[1000..<2000]))
    }
}
