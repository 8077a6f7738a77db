import Glibc
import TestSupport
import Testing

/// Signals that come to the service and to all that it started, as a terminal and a supervisor send them.
@Suite struct GroupSignalTests {
    private let folder: TemporaryFolder
    private let walker: [UInt8]
    private let options = ["--workers", "2", "--allow-addresses", "127.0.0.0/8", "--stop-timeout", "2"]

    init() throws {
        folder = try TemporaryFolder()
        walker = try Repository.fixture("bundles/walker.zip")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func workIsHandedBackAndTakenUpAgain(_ signal: Int32) throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker), "/b.zip": FaultResource(walker + [0])])
        for path in ["/a.zip", "/b.zip"] { server.play([.stall(after: 100, until: gate)], at: path) }
        defer { gate.open() }
        let service = try ServiceProcess(data: folder.path, options)
        let ids = try ["/a.zip", "/b.zip"].map { try service.client.add(url: server.url($0)) }
        let workers = try eventually("two workers") { service.workers.count == 2 ? service.workers : nil }
        // No terminal's signal to the service comes to them.
        for worker in workers {
            _ = try eventually("a group of its own") { getpgid(worker) == worker ? true : nil }
            #expect(getpgid(worker) != getpgid(service.pid))
        }
        // A supervisor signals each process. The workers' comes first here: the service does not know yet that it stops.
        for worker in workers { kill(worker, signal) }
        usleep(100_000)
        #expect(service.workers.count == 2)
        #expect(service.end(signal) == 0)
        #expect(service.logged("settled").isEmpty)
        gate.open()
        let next = try ServiceProcess(data: folder.path, options)
        for id in ids {
            let state = try next.client.outcome(of: id)
            #expect(state["state"] == "ready")
            #expect(state["attempt"] == 2)
        }
        #expect(next.end() == 0)
    }

    @Test func aWorkerThatIsKilledWhileTheServiceStopsIsHandedBack() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(
            data: folder.path, ["--allow-addresses", "127.0.0.0/8", "--stop-timeout", "60"])
        let id = try service.client.add(url: server.url("/a.zip"))
        let worker = try eventually("a worker") { service.workers.first }
        kill(service.pid, SIGTERM)
        _ = try eventually("that it heard") { service.logged("stopping").first }
        kill(worker, SIGKILL)
        #expect(Program.wait(for: service.pid) == 0)
        #expect(service.logged("settled").isEmpty)
        gate.open()
        let next = try ServiceProcess(data: folder.path, options)
        #expect(try next.client.outcome(of: id)["state"] == "ready")
    }
}
