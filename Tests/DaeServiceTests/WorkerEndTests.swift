import Glibc
import TestSupport
import Testing

/// Workers that end badly: their job fails with its code, and nobody else notices.
@Suite struct WorkerEndTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A document that is as large in memory as it has nodes.
    private static func forest(_ count: Int) -> [UInt8] {
        var text = Array(
            """
            <?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">\
            <asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>\
            <library_visual_scenes><visual_scene id="s">
            """.utf8)
        for number in 0..<count { text += Array("<node id=\"node-number-\(number)\"/>".utf8) }
        return text
            + Array(
                "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
                    .utf8)
    }

    /// The failure of one asset, while another beside it becomes ready.
    private func failure(_ bytes: [UInt8], _ service: ServiceProcess) throws -> JSONNode {
        let id = try service.client.upload(bytes, name: "forest.dae")
        let well = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        #expect(try service.client.outcome(of: well)["state"] == "ready")
        let state = try service.client.outcome(of: id)
        #expect(state["state"] == "failed")
        // It may be tried again.
        let actions = try service.client.get("/v1/assets/\(id)").json?["availableActions"]?.elements
        #expect(actions == ["retry", "remove"])
        #expect(try service.client.get("/readyz").status == 200)
        return state
    }

    @Test func whoNeedsTooMuchMemoryFailsAlone() throws {
        let service = try ServiceProcess(data: folder.path, ["--worker-memory", "\(128 << 20)"])
        let state = try failure(Self.forest(600_000), service)
        #expect(state["code"] == "WORKER_OUT_OF_MEMORY")
        #expect(state["message"]?.string?.contains("128 MiB") == true)
    }

    @Test func whoNeedsTooMuchProcessorTimeFailsAlone() throws {
        let service = try ServiceProcess(data: folder.path, ["--worker-cpu", "1"])
        let state = try failure(Self.forest(200_000), service)
        #expect(state["code"] == "WORKER_CPU_EXCEEDED")
    }

    @Test(arguments: [(SIGKILL, "WORKER_KILLED"), (SIGSEGV, "WORKER_CRASHED"), (SIGABRT, "WORKER_CRASHED")])
    func aWorkerThatASignalEndsFailsItsJobAlone(_ signal: Int32, _ code: String) throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(try Repository.fixture("bundles/walker.zip"))])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(
            data: folder.path, ["--workers", "1", "--allow-addresses", "127.0.0.0/8", "--metrics-port", "0"])
        let id = try service.client.add(url: server.url("/a.zip"))
        gate.waitForArrival()
        let worker = try #require(service.workers.first)
        kill(worker, signal)
        let state = try service.client.outcome(of: id)
        #expect(state["code"]?.string == code)
        gate.open()
        let again = try service.client.send(
            "POST", "/v1/assets/\(id)/actions", body: Array(#"{"version":1,"action":"retry"}"#.utf8))
        #expect(again.status == 200)
        #expect(try service.client.outcome(of: id)["state"] == "ready")
        let figures = try #require(try service.metrics?.get("/metrics").text)
        #expect(figures.contains("daed_worker_failures_total{code=\"\(code)\"} 1.0\n"))
        #expect(service.logged("worker ended early").first?["code"]?.string == code)
    }
}
