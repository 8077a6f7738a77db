import Glibc
import TestSupport
import Testing

/// The service at a socket of this machine, and at one that was opened before it started.
@Suite struct SocketTests {
    private let folder: TemporaryFolder
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        (folder, place) = (try TemporaryFolder(), try TemporaryFolder())
        path = place.path + "/daed.sock"
    }

    private func start(_ options: [String] = []) throws -> ServiceProcess {
        try ServiceProcess(data: folder.path, ["--host", "unix:\(path)"] + options)
    }

    private func client(_ service: ServiceProcess) -> ServiceClient { ServiceClient(port: 0, socket: path) }

    private func mode() -> mode_t? {
        var info = stat()
        return lstat(path, &info) == 0 ? info.st_mode : nil
    }

    @Test func itIsServedAtASocketThatItsGroupMayUse() throws {
        let service = try start()
        #expect(mode() == S_IFSOCK | 0o660)
        let client = client(service)
        let id = try client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        #expect(try client.outcome(of: id)["state"] == "ready")
        let answer = try client.get("/v1/assets/\(id)")
        #expect(answer.headers["server"] == "daed")
        #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
        #expect(service.logged("action").first?["address"] == "-")
        #expect(try ServiceProcess.run(["health", "--ready", "--host", "unix:\(path)"]).code == 0)
        // A stream ends with the service, in good order.
        let watcher = try LoopbackClient(socket: path)
        watcher.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = watcher.read(20)
        #expect(service.end() == 0)
        #expect(watcher.rest().end == .closed)
        #expect(mode() == nil)
        let health = try ServiceProcess.run(["health", "--host", "unix:\(path)"])
        #expect(health.code == 1)
        #expect(health.errors.hasPrefix("daed: unix:\(path): "))
    }

    @Test func aSocketIsReplacedWhereNobodyListensAlone() throws {
        let first = try start()
        let second = try ServiceProcess.run(
            ["serve", "--host", "unix:\(path)", "--data", place.path + "/other"])
        #expect(second.code == 69)
        #expect(second.errors.hasSuffix("daed: cannot listen on unix:\(path): another process listens there.\n"))
        #expect(try client(first).get("/healthz").status == 200)
        first.end(SIGKILL)
        #expect(mode() == S_IFSOCK | 0o660)
        let next = try start()
        #expect(try client(next).get("/healthz").status == 200)
        next.end()
        try place.write("kept", to: "daed.sock")
        let third = try ServiceProcess.run(["serve", "--host", "unix:\(path)", "--data", place.path + "/other"])
        #expect(third.code == 69)
        #expect(third.errors.hasSuffix("something else is there.\n"))
        #expect(try Repository.bytes(at: path) == Array("kept".utf8))
    }

    @Test(arguments: ["unix:daed.sock", "unix:", "unix:/" + String(repeating: "a", count: 96)])
    func aPathThatNoSocketCanHaveIsRefused(_ host: String) throws {
        let run = try ServiceProcess.run(["serve", "--host", host, "--data", folder.path])
        #expect(run.code == 64)
        #expect(run.errors.contains("expected unix: and an absolute path of 96 bytes at most."))
    }

    /// Who comes by a socket has no address.
    @Test func forwardedAddressesCountWhereTheSocketIsTrusted() throws {
        let forwarded = ["X-Forwarded-For": "198.51.100.1, 203.0.113.1"]
        func seen(_ service: ServiceProcess) throws -> String? {
            _ = try client(service).get("/v1/assets", headers: forwarded)
            return try eventually("its line") { service.logged("request").first }["address"]?.string
        }
        let plain = try start(["--access-log", "on"])
        #expect(try seen(plain) == "-")
        plain.end()
        let trusting = try start(["--access-log", "on", "--trusted-proxies", "unix"])
        #expect(try seen(trusting) == "203.0.113.1")
    }

    @Test func allWithoutAnAddressAreOneClientAndRefusalsAreCounted() throws {
        let service = try start(["--rate", "1", "--burst", "1", "--metrics-port", "0"])
        // Each comes by a connection of its own, as from a proxy.
        _ = try eventually("a refusal") { try client(service).get("/v1/assets").status == 429 ? true : nil }
        let figures = try #require(service.metrics).get("/metrics").text
        let count = figures.firstMatch(of: /\ndaed_http_rate_limited_requests_total\{limit="rate"\} ([0-9.]+)\n/)
        #expect(count.flatMap { Double($0.1) } ?? 0 >= 1)
    }

    // MARK: - A socket that is there already

    private static let launcher = ChildProcess.find("systemd-socket-activate")
    private static let isKnown = launcher != nil

    /// Runs the service behind systemd's own launcher; gives its process.
    private func launch(_ address: String, _ options: [String] = [], names log: String) throws -> pid_t {
        try Program.start(
            ["--listen=\(address)", ServiceProcess.program, "serve", "--data", folder.path] + options,
            errors: log, program: Self.launcher ?? "")
    }

    @Test(.enabled(if: isKnown, "systemd-socket-activate is not installed (Debian: systemd)"))
    func aSocketOfSystemdIsTaken() throws {
        let log = place.path + "/log"
        let pid = try launch(path, names: log)
        defer { kill(pid, SIGKILL) }
        // The first connection starts it.
        let answer = try eventually("an answer") { () -> ServiceClient.Answer? in
            guard let connection = try? LoopbackClient(socket: path) else { return nil }
            let text = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            return ServiceClient.answer(connection.exchange(text).bytes)
        }
        #expect(answer.status == 200)
        let id = try ServiceClient(port: 0, socket: path).upload(Array("no model".utf8), name: "a.zip")
        #expect(try ServiceClient(port: 0, socket: path).outcome(of: id)["state"] == "failed")
        kill(pid, SIGTERM)
        #expect(Program.wait(for: pid) == 0)
        // It is not the service's to remove.
        #expect(mode() != nil)
        #expect(String(decoding: try Repository.bytes(at: log), as: UTF8.self).contains("\"host\":\"unix:\(path)\""))
    }

    @Test(.enabled(if: isKnown, "systemd-socket-activate is not installed (Debian: systemd)"))
    func aSocketOfSystemdBeyondLoopbackNeedsATokenToo() throws {
        let listener = try Listener()
        let port = listener.port
        close(listener.descriptor)
        let log = place.path + "/log"
        let pid = try launch("0.0.0.0:\(port)", names: log)
        defer { kill(pid, SIGKILL) }
        let connection = try eventually("a connection") { try? LoopbackClient(port: port) }
        connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(Program.wait(for: pid) == 78)
        #expect(String(decoding: try Repository.bytes(at: log), as: UTF8.self).contains("no token exists"))
    }
}
