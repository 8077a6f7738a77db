import TestSupport
import Testing

@testable import DaeService

/// The filter of system calls of the unit of systemd: below it the service works, and its workers can give up all that they
/// must not have. Run without systemd itself: what else the unit says is not tried.
@Suite struct UnitFilterTests {
    private static let unit = Repository.root + "/scripts/service/daed.service"
    private static let starter = ["python3", Repository.root + "/Tests/Peers/unit_filter.py"]

    /// Needs `systemd-analyze`, which knows the sets that the unit names, and libseccomp.
    private static let isPossible: Bool = {
        let run = try? Program.run(Array(starter.dropFirst()) + [unit, "true"], program: starter[0])
        return run?.code == 0 && SandboxSupport.here.missing.isEmpty
    }()

    /// By the sandbox's source; the numbers of those of Landlock stand there.
    @Test func itNamesWhatTheSandboxCalls() throws {
        let source = String(
            decoding: try Repository.bytes(at: Repository.root + "/Sources/CSandbox/sandbox.c"), as: UTF8.self)
        let called = Set(source.matches(of: /syscall\((?:SYS_|__NR_)([a-z_]+)/).map { String($0.1) })
        #expect(called.isSuperset(of: ["seccomp", "capset", "landlock_restrict_self"]))
        let lines = String(decoding: try Repository.bytes(at: Self.unit), as: UTF8.self).split(separator: "\n")
        let filter = lines.filter { $0.hasPrefix("SystemCallFilter=") }.map { $0.dropFirst("SystemCallFilter=".count) }
        // Behind it nothing is taken away again.
        let last = try #require(filter.last).split(separator: " ").map(String.init)
        #expect(filter.count { $0.hasPrefix("~") } == 1 && !filter[filter.count - 1].hasPrefix("~"))
        // Every service may ask what it may.
        #expect(called.subtracting(last) == ["capget"])
    }

    @Test(.enabled(if: isPossible, "systemd-analyze, libseccomp or the sandbox itself is not there"))
    func theServiceAndItsWorkersWorkBelowIt() throws {
        let folder = try TemporaryFolder()
        let walker = try Repository.fixture("bundles/walker.zip")
        let server = try FaultServer(["/a.zip": FaultResource(walker + [1])])
        let service = try ServiceProcess(
            data: folder.path, ["--require-sandbox", "on", "--allow-addresses", "127.0.0.0/8"],
            starter: Self.starter + [Self.unit])
        let client = service.client
        let ids = [
            try client.upload(walker, name: "walker.zip"), try client.add(url: server.url("/a.zip")),
            try client.upload(Repository.fixture("bundles/lamp.zae"), name: "lamp.zae"),
        ]
        for id in ids {
            #expect(try client.outcome(of: id)["state"] == "ready")
            for path in ["inspect", "report", "thumbnail.png", "model.glb", "model.glb?compact=1", "model.usdz"] {
                let answer = try client.get("/v1/assets/\(id)/\(path)")
                #expect(answer.status == 200, "\(path): \(answer.text)")
            }
        }
        #expect(try client.send("DELETE", "/v1/assets/\(ids[0])").status == 204)
        #expect(service.logged("a worker complained").isEmpty)
        #expect(service.end() == 0)
    }

    /// So the test above would see that one of them is missing.
    @Test(
        .enabled(if: isPossible, "systemd-analyze, libseccomp or the sandbox itself is not there"),
        arguments: ["seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "prctl"])
    func withoutOneOfTheseWorkersCannotBeShutIn(_ call: String) throws {
        let folder = try TemporaryFolder()
        let arguments = Self.starter + ["--without", call, Self.unit, ServiceProcess.program]
        let run = try Program.run(
            Array(arguments.dropFirst()) + ["serve", "--require-sandbox", "on", "--port", "0", "--data", folder.path],
            program: arguments[0])
        #expect(run.code == 78, "\(run.errors)")
        #expect(run.errors.contains("workers cannot be shut in"), "\(run.errors)")
    }
}
