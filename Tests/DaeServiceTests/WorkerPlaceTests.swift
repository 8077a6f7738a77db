import Glibc
import TestSupport
import Testing

@testable import DaeService

/// One count of workers, whatever they are for.
@Suite(.timeLimit(.minutes(10))) struct WorkerPlaceTests {
    @Test func jobsAndRequestsTakeTurns() async {
        let places = WorkerPlaces(1)
        #expect(await places.acquireForJob())
        let (taken, taking) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<2 {
            Task {
                await places.acquireForRequest()
                taking.yield(number)
            }
        }
        while await places.waiting < 2 { await Task.yield() }
        #expect(await !places.acquireForJob())
        await places.release()
        // It was refused, and is next; then a request is.
        #expect(await places.waiting == 2)
        #expect(await places.acquireForJob())
        #expect(await !places.acquireForJob())
        await places.release()
        #expect(await places.waiting == 1)
        await places.release()
        #expect(await places.waiting == 1)
        #expect(await places.acquireForJob())
        // There is none: the place is the request's.
        await places.releaseUnused()
        #expect(await places.waiting == 0)
        var numbers: Set<Int> = []
        for await number in taken.prefix(2) { numbers.insert(number) }
        #expect(numbers == [0, 1])
    }

    @Test func whenJobsAreOverNothingIsKeptForThem() async {
        let places = WorkerPlaces(1)
        #expect(await places.acquireForJob())
        let request = Task { await places.acquireForRequest() }
        while await places.waiting < 1 { await Task.yield() }
        #expect(await !places.acquireForJob())
        await places.release()
        await places.endJobs()
        await request.value
    }

    @Test func aJobAndAReportAreNotMadeAtOnceByOneWorker() throws {
        let folder = try TemporaryFolder()
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource([UInt8](repeating: 7, count: 1000))])
        server.play([], then: .stall(after: 100, until: gate), at: "/a.zip")
        let service = try ServiceProcess(
            data: folder.path, ["--workers", "1", "--allow-addresses", "127.0.0.0/8"])
        let client = service.client
        let id = try client.upload(try Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try client.outcome(of: id)
        let job = try client.add(url: server.url("/a.zip"))
        gate.waitForArrival()
        let report = Flag()
        BackgroundThread.start {
            #expect((try? client.get("/v1/assets/\(id)/report").status) == 200)
            report.raise()
        }
        for _ in 0..<50 {
            #expect(service.workers.count <= 1)
            usleep(20_000)
        }
        #expect(service.logged("made").isEmpty)
        let cancel = try client.send(
            "POST", "/v1/assets/\(job)/actions", headers: ["Content-Type": "application/json"],
            body: Array(#"{"version":1,"action":"cancel"}"#.utf8))
        #expect(cancel.status == 200)
        try report.wait()
        #expect(service.logged("made").count == 1)
        gate.open()
    }
}
