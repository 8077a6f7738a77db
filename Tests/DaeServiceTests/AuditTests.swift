import Glibc
import TestSupport
import Testing

/// Who did what to tokens and keys, and what the service was started with.
@Suite struct AuditTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func command(_ words: String...) throws -> String {
        let run = try ServiceProcess.run(words + ["--data", folder.path])
        #expect(run.code == 0, "\(run.errors)")
        return run.text.split(separator: "\n").first.map(String.init) ?? ""
    }

    @Test func tokensAndKeysThatCommandsMakeAndEndAreInTheLog() throws {
        try command("token", "add", "old")
        let first = try command("key", "add")
        let service = try ServiceProcess(data: folder.path, ["--burst", "77", "--public-host", "models.example.org"])
        let token = try command("token", "add", "ops", "--scope", "admin")
        let added = try eventually("its line") { service.logged("token added").first }
        #expect(added["label"] == "audit" && added["token"] == "ops" && added["scope"] == "admin")
        // What was there before is not told again.
        #expect(service.logged("token added").count == 1)
        #expect(service.logged("key added").isEmpty)
        try command("token", "limit", "ops", "--requests", "500/day")
        let limited = try eventually("its line") { service.logged("token limited").first }
        #expect(limited["label"] == "audit" && limited["token"] == "ops")
        #expect(limited["quota"]?["requests"] == "500" && limited["quota"]?["bytes"] == "none")
        let key = try command("key", "add")
        #expect(try eventually("its line") { service.logged("key added").first }["key"]?.string == key)
        try command("key", "retire", first)
        #expect(try eventually("its line") { service.logged("key retired").first }["key"]?.string == first)
        let headers = ["Authorization": "Bearer \(token)", "X-Request-Id": "revoking-old"]
        #expect(try service.client.send("DELETE", "/v1/tokens/old", headers: headers).status == 204)
        let action = try #require(service.logged("action").first)
        #expect(action["action"] == "revokeToken" && action["token"] == "old" && action["client"] == "ops")
        #expect(action["request"] == "revoking-old" && action["address"] == "127.0.0.1")
        #expect(try eventually("its line") { service.logged("token revoked").first }["token"] == "old")
        let configured = try #require(service.logged("configured").first)
        #expect(configured["settings"]?["burst"] == "77")
        #expect(configured["settings"]?["public-host"] == "models.example.org")
        #expect(configured["settings"]?["queue-limit"] == nil)
        #expect(!service.logText.contains(token))
    }

    @Test func theAccessLogNamesTheRouteAndIsThereAtEveryLevel() throws {
        let service = try ServiceProcess(data: folder.path, ["--access-log", "on"])
        _ = try service.client.get("/v1/assets/none?token=SECRET")
        let line = try eventually("its line") { service.logged("request").first }
        #expect(line["label"] == "access" && line["route"] == "/v1/assets/{id}" && line["path"] == "/v1/assets/none")
        #expect(!service.logText.contains("SECRET"))
        service.end()
        let place = try TemporaryFolder()
        let (socket, log) = (place.path + "/daed.sock", place.path + "/log")
        let quiet = try Program.start(
            [
                "serve", "--data", folder.path, "--log-level", "error", "--host", "unix:\(socket)", "--access-log",
                "on",
            ], errors: log, program: ServiceProcess.program)
        defer {
            kill(quiet, SIGKILL)
            _ = Program.wait(for: quiet)
        }
        let client = ServiceClient(port: 0, socket: socket)
        _ = try eventually("an answer") { try? client.get("/v1/assets") }
        let lines = try eventually("a line") {
            let text = String(decoding: try Repository.bytes(at: log), as: UTF8.self)
            return text.isEmpty ? nil : text.split(separator: "\n")
        }
        #expect(lines.allSatisfy { $0.contains("\"label\":\"access\"") }, "\(lines)")
    }
}
