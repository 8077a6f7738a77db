import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeService
@testable import Daedalus

/// What somebody can do who took over a worker: nothing beyond its job.
@Suite(.enabled(if: SandboxSupport.here.missing.isEmpty, "this kernel has no Landlock or no seccomp"))
struct SandboxTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a worker says that is started by hand, as the service starts it.
    private func worker(_ task: String, _ members: [String: String] = [:]) throws -> (code: Int32, text: String) {
        let own = folder.path + "/uploads/own"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        var all = [
            "task": task, "asset": "\"304048e8c9dabbd8379fcd5448cb39f4\"", "source": "\"a.dae\"",
            "data": "\"\(folder.path)\"", "folder": "{\"path\": \"\(own)\"}",
            "downloads": "\"\(folder.path)/downloads/own\"",
            "limits": #"{"memory": 2000000000, "processorSeconds": 60, "wallSeconds": 60}"#,
            "fileLimit": "1000000", "contentLimit": "1000000", "allowedBlocks": "[]",
        ]
        all.merge(members) { _, new in new }
        let order = "{" + all.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
        try folder.write(order + "\n", to: "order.json")
        // It ends with its standard input; this one stays open for longer than it takes.
        let line = "exec '\(ServiceProcess.program)' worker-process < <(cat '\(folder.path)/order.json'; sleep 20)"
        let run = try Program.run(["-c", line], program: "bash")
        return (run.code, run.text)
    }

    @Test(arguments: ["none", "internet"])
    func aWorkerCanDoNothingBesideItsJob(_ network: String) throws {
        // What is tried is there to be had.
        try folder.write("secret", to: "daed.sqlite")
        try folder.write("another's", to: "blobs/ab/cd")
        try folder.write("another's", to: "downloads/other/partial")
        let run = try worker("{\"probe\": {\"_0\": \"\(network)\"}}")
        #expect(run.text.hasPrefix("{\"probed\":{\"_0\":[]}}\n"), "\(run.text)")
    }

    @Test func theProbeFeelsWhatIsOpen() throws {
        // The worker's own folder stands for that of the service: it may read what is there.
        let own = folder.path + "/uploads/own"
        try folder.write("secret", to: "uploads/own/daed.sqlite")
        let run = try worker(
            #"{"probe": {"_0": "none"}}"#, ["data": "\"\(own)\"", "fileLimit": "20000000000"])
        #expect(run.text.contains("reads the database"), "\(run.text)")
        #expect(run.text.contains("writes outside its folder"))
        #expect(!run.text.contains("starts a process"))
    }

    /// The same attempts in a process that is not shut in; those that would harm this one are left out.
    @Test(arguments: [
        SandboxProbe.Attempt.readsDatabase, .readsOriginals, .readsDownloads, .readsSystem, .writesOutside, .connects,
        .sends, .forks, .signals, .fillsDisk,
    ])
    func whoIsNotShutInCan(_ attempt: SandboxProbe.Attempt) throws {
        for name in ["daed.sqlite", "blobs/ab/cd", "downloads/other/partial", "uploads/own/file"] {
            try folder.write("secret", to: name)
        }
        let own = WorkerFolder(path: folder.path + "/uploads/own")
        let asset = try #require(AssetID("304048e8c9dabbd8379fcd5448cb39f4"))
        let order = WorkerOrder(
            task: .probe(.none), asset: asset, source: "", file: nil, data: folder.path, folder: own,
            downloads: folder.path + "/downloads/own", limits: WorkerLimits(), fileLimit: 1 << 20,
            contentLimit: 1 << 20, allowedBlocks: [])
        #expect(SandboxProbe(order).succeeds(attempt))
    }

    @Test func doctorSaysWhatHolds() throws {
        let service = try ServiceProcess(data: folder.path, ["--require-sandbox", "on"])
        let support = try #require(service.logged("sandbox").first)
        #expect(support["seccomp"] == "on")
        let run = try ServiceProcess.run(["doctor", "--data", folder.path, "--format", "json"])
        let report = try #require(JSONNode(parsing: Array(run.text.utf8))["sandbox"])
        #expect(report["seccomp"] == true)
        #expect(report["succeeded"]?.elements == [])
        #expect(report["landlock"] == support["landlock"])
        #expect(service.end() == 0)
    }

    @Test func aWorkerSeesTheFileOfItsOrderAlone() throws {
        let service = try ServiceProcess(data: folder.path)
        let other = try service.client.upload(Repository.fixture("bundles/lamp.zae"), name: "lamp.zae")
        #expect(try service.client.outcome(of: other)["state"] == "ready")
        let digest = try #require(service.client.get("/v1/assets/\(other)").json?["sha256"]?.string)
        let path = try ServiceFolder(path: folder.path).original(of: digest)
        let run = try worker(
            #"{"entry": {"path": "scene/lamp.dae"}}"#,
            ["file": #"{"path": "\#(path)", "name": "lamp.zae", "bytes": 1, "sha256": "\#(digest)"}"#])
        #expect(run.text == "{\"made\":{}}\n")
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/uploads/own")
        #expect(copies.count == 1)
    }
}
