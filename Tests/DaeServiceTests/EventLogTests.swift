import Daedalus
import TestSupport
import Testing

@testable import DaeService

/// How much is kept of what happened.
@Suite struct EventLogTests {
    private let folder: TemporaryFolder
    private let store: SQLiteJobStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteJobStore(path: folder.path + "/daed.sqlite")
    }

    private func asset(_ name: String) async throws -> Job {
        let state = AssetState.downloading(.first)
        let asset = AssetRecord(
            id: .random(), name: name, origin: .address("https://example.org/" + name), content: nil, state: state,
            created: 0, changed: 0)
        #expect(try await store.add(asset, key: nil, queueLimit: 10) {} == .added)
        return try #require(try await store.claim(owner: "a", until: .max))
    }

    private func progress(_ job: Job) async throws {
        var machine = AssetStateMachine(source: job.asset.name, state: job.asset.state)
        for received in 1...20 {
            _ = try machine.handle(.received(Tally(done: Int64(received), of: 20), attempt: machine.state.attempt))
            #expect(try await store.save(machine.state, of: job))
        }
    }

    private func events() async throws -> [ServiceEvent] {
        try await store.events(after: 0, of: nil, limit: 1000).events
    }

    @Test func ofAWayThatEndedTheStagesAreKept() async throws {
        let (job, other) = (try await asset("a.zip"), try await asset("b.zip"))
        try await progress(job)
        try await progress(other)
        #expect(try await events().count == 42)
        let reason = AssetState.Reason(.ioError, "No.")
        var machine = AssetStateMachine(source: "a.zip", state: job.asset.state)
        _ = try machine.handle(.failed(reason, .resume, attempt: machine.state.attempt))
        let newest = try await store.events(after: .max, of: nil, limit: 1).newest
        #expect(try await store.save(machine.state, of: job))
        #expect(try await store.events(after: .max, of: nil, limit: 1).newest == newest + 1)
        let kept = try await store.events(after: 0, of: job.asset.id, limit: 1000).events
        #expect(kept.count == 2)
        #expect(kept.first?.data.contains("\"downloading\"") == true)
        #expect(kept.last?.data.contains("\"failed\"") == true)
        #expect(try await store.events(after: 0, of: other.asset.id, limit: 1000).events.count == 21)
    }

    @Test func ofWhatWasRemovedOnlyThatIsKept() async throws {
        let job = try await asset("secret.zip")
        try await progress(job)
        #expect(try await store.remove(job.asset.id, key: nil) == .removed(unused: nil))
        let kept = try await events()
        #expect(kept.map(\.kind) == [.removed])
        #expect(kept.first?.data == "{}")
    }
}
