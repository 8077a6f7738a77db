import Glibc
import TestSupport
import Testing

/// What the service bears: workers that take too long, and clients that send too much.
@Suite struct EnduranceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func anUploadBeyondTheLimitLeavesNothing() throws {
        let service = try ServiceProcess(data: folder.path, ["--upload-limit", "1000"])
        let answer = try service.client.send(
            "POST", "/v1/assets", body: [UInt8](repeating: 0, count: 100_000))
        #expect(answer.status == 413)
        #expect(answer.json?["code"] == "DOWNLOAD_TOO_LARGE")
        let files = try Repository.files(below: folder.path)
        #expect(!files.contains { $0.hasPrefix("uploads/") || $0.hasPrefix("blobs/") })
        #expect(try service.client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func aFullQueueAsksToComeBack() throws {
        let service = try ServiceProcess(
            data: folder.path, ["--queue-limit", "1", "--workers", "1"])
        let walker = try Repository.fixture("bundles/walker.zip")
        var statuses: Set<Int> = []
        for number in 0..<12 {
            let answer = try service.client.send(
                "POST", "/v1/assets?name=a.zip", body: walker + Array("\(number)".utf8))
            statuses.insert(answer.status)
            if answer.status == 429 { #expect(answer.headers["retry-after"] != nil) }
        }
        #expect(statuses == [201, 429])
    }

    @Test func aWorkerThatTakesTooLongFailsItsJobAlone() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource([UInt8](repeating: 7, count: 1000))])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(
            data: folder.path, ["--worker-time", "2", "--allow-addresses", "127.0.0.0/8"])
        let stuck = try service.client.add(url: server.url("/a.zip"))
        let walker = try Repository.fixture("bundles/walker.zip")
        let well = try service.client.upload(walker, name: "walker.zip")
        #expect(try service.client.outcome(of: well)["state"] == "ready")
        let state = try service.client.outcome(of: stuck)
        #expect(state["code"] == "WORKER_TIME_EXCEEDED")
        #expect(state["message"]?.string?.contains("longer than 2 s") == true)
        #expect(try service.client.get("/healthz").status == 200)
    }
}
