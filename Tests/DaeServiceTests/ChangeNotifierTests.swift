import DaeCore
import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// What streams of events are told, and how far work is that is not kept.
@Suite struct ChangeNotifierTests {
    private let folder: TemporaryFolder
    private let changes = ChangeNotifier()
    private let job: Job

    init() throws {
        folder = try TemporaryFolder()
        let asset = AssetRecord(
            id: .random(), name: "a.zip", origin: .address("https://example.org/a.zip?key=SECRET"), content: nil,
            state: .downloading(.first), created: 0, changed: 0)
        job = Job(id: 1, owner: "a", asset: asset, claims: 1)
    }

    private func event(_ number: Int64, _ state: AssetState, of asset: AssetID? = nil) throws -> ServiceEvent {
        ServiceEvent(
            number: number, asset: asset ?? job.asset.id, kind: .state, data: try StateText.text(state), secret: nil)
    }

    private func downloading(_ bytes: Int64) throws -> AssetState {
        var machine = AssetStateMachine(source: .url("a"), state: job.asset.state)
        _ = try machine.handle(.received(StageProgress(done: bytes, of: 20), attempt: machine.state.attempt))
        return machine.state
    }

    private var failed: AssetState {
        get throws {
            var machine = AssetStateMachine(source: .url("a"), state: job.asset.state)
            _ = try machine.handle(.failed(.init(.ioError, "No."), .resume, attempt: machine.state.attempt))
            return machine.state
        }
    }

    /// All that a stream has in its buffer.
    private func waiting(_ stream: AsyncStream<ChangeNotifier.Delivery>) async -> [ChangeNotifier.Delivery] {
        changes.publish([ServiceEvent(number: .max, asset: job.asset.id, kind: .removed, data: "{}")], newest: .max)
        var all: [ChangeNotifier.Delivery] = []
        for await delivery in stream {
            if delivery.events.last?.kind == .removed { break }
            all.append(delivery)
        }
        return all
    }

    @Test func progressIsSeenAndToldWithoutANumber() async throws {
        changes.publish([], newest: 7)
        let stream = changes.deliveries(of: nil)
        changes.begin(job)
        let half = try downloading(10)
        try changes.progress(half, of: job, at: 5)
        let seen = changes.newest(of: job.asset)
        #expect(seen.state == half)
        #expect(seen.changed == 5)
        let told = try #require(await waiting(stream).first)
        #expect(told.events.map(\.number) == [nil])
        #expect(told.events.first?.data == (try StateText.text(half)))
        #expect(told.events.first?.secret?.isShown(to: .stranger) == false)
        #expect((told.after, told.newest) == (7, 7))
    }

    @Test func progressOfWhatWasStoppedIsNeitherSeenNorTold() async throws {
        let stream = changes.deliveries(of: job.asset.id)
        changes.begin(job)
        var stopped = job.asset
        stopped.state = try failed
        changes.publish([try event(1, stopped.state)], newest: 1)
        try changes.progress(try downloading(10), of: job, at: 0)
        #expect(changes.newest(of: stopped) == stopped)
        #expect(await waiting(stream).flatMap(\.events).map(\.number) == [1])
    }

    @Test func progressGoesWithItsJob() throws {
        changes.begin(job)
        let next = Job(id: 2, owner: "a", asset: job.asset, claims: 2)
        changes.begin(next)
        changes.end(job)
        try changes.progress(try downloading(1), of: job, at: 0)
        #expect(changes.newest(of: job.asset) == job.asset)
        try changes.progress(try downloading(2), of: next, at: 0)
        #expect(try changes.newest(of: job.asset).state == downloading(2))
        changes.end(next)
        #expect(changes.newest(of: job.asset) == job.asset)
    }

    @Test func aStreamOfOneAssetIsWokenForItAlone() async throws {
        let stream = changes.deliveries(of: job.asset.id)
        for number in 1...5 {
            changes.publish([try event(Int64(number), failed, of: .random())], newest: Int64(number))
        }
        changes.publish([try event(6, failed)], newest: 6)
        let told = await waiting(stream)
        #expect(told.flatMap(\.events).map(\.number) == [6])
        // And knows that nothing of it was in between.
        #expect(told.first?.after == 0)
    }

    @Test func aStreamThatIsNotReadLearnsThatItMissedSome() async throws {
        let stream = changes.deliveries(of: nil)
        for number in 1...1000 { changes.publish([try event(Int64(number), failed)], newest: Int64(number)) }
        let told = await waiting(stream)
        #expect(told.count < 100)
        let first = try #require(told.first)
        // What it has seen up to 0 does not join to that.
        #expect(first.after > 0)
        #expect(first.events.first?.number == first.after + 1)
        #expect(told.last?.newest == 1000)
    }

    @Test func aStreamThatBeganBeforeReadsForItself() async throws {
        let stream = changes.deliveries(of: nil)
        changes.begin(behind: 7)
        changes.publish([try event(8, failed)], newest: 8)
        let told = await waiting(stream)
        #expect(told.map(\.after) == [7, 7])
        #expect(told.map(\.newest) == [7, 8])
    }

    @Test func aSilentStreamIsWokenWhereTokensChanged() async throws {
        let stream = changes.deliveries(of: nil)
        changes.tick(tokens: 0)
        changes.tick(tokens: 1)
        changes.tick(tokens: 1)
        #expect(changes.tokens == 1)
        #expect(await waiting(stream).count == 1)
        #expect(changes.streams == 1)
    }

    // MARK: - In the service

    @Test func howFarADownloadIsIsSeenAndNotKept() async throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(try Repository.fixture("bundles/walker.zip"))])
        server.play([], then: .slow(by: 500, gate), at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let watcher = try LoopbackClient(port: service.port)
        watcher.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = watcher.read(20)
        let id = try service.client.add(url: server.url("/a.zip"))
        let received = try eventually("some bytes") {
            gate.letPass()
            return try service.client.get("/v1/assets/\(id)").json?["state"]?["received"]?.number.flatMap {
                $0 > 0 ? $0 : nil
            }
        }
        // What is asked of the store below may wait long for a thread of Swift's; a transfer that stands still as long as that
        // would be given up.
        BackgroundThread.start {
            for _ in 0..<40 {
                sleep(20)
                gate.letPass()
            }
        }
        let listed = try service.client.get("/v1/assets").json?["assets"]?.elements.first
        #expect(listed?["state"]?["received"]?.number ?? 0 >= received)
        var text = ""
        while !text.contains("\"received\":\(Int(received))"), case let bytes = watcher.read(1), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
        }
        // Who comes back goes on behind the last event that was kept.
        let event = try #require(text.split(separator: "\n\n").last { $0.contains("\"received\":\(Int(received))") })
        #expect(!event.contains("id: "))
        let store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
        let asset = try #require(AssetID(id))
        #expect(try await store.events(after: 0, of: asset, limit: 100).events.count == 1)
        #expect(try await store.asset(asset)?.state == .downloading(.first))
        gate.open()
        #expect(try service.client.outcome(of: id)["state"] == "ready")
        let kinds = try await store.events(after: 0, of: asset, limit: 100).events.map {
            try StateText.read(AssetState.self, $0.data).kind
        }
        #expect(kinds == [.downloading, .unzipping, .parsing, .ready])
    }
}
