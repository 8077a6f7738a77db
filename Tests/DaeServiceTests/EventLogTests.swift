import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// How much is kept of what happened.
@Suite struct EventLogTests {
    private let folder: TemporaryFolder
    private let store: JobStore

    init() throws {
        folder = try TemporaryFolder()
        store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
    }

    private func asset(_ name: String) async throws -> Job {
        let state = AssetState.downloading(.first)
        let asset = AssetRecord(
            id: .random(), name: name, origin: .address("https://example.org/" + name), content: nil, state: state,
            created: 0, changed: 0)
        #expect(try await store.add(asset, key: nil, queueLimit: 10) == .added(put: .named))
        return try #require(try await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil))
    }

    private func progress(_ job: Job) async throws {
        var machine = AssetStateMachine(source: .url(job.asset.name), state: job.asset.state)
        for received in 1...20 {
            _ = try machine.handle(
                .received(StageProgress(done: Int64(received), of: 20), attempt: machine.state.attempt))
            #expect(try await store.save(machine.state, of: job))
        }
    }

    private func events() async throws -> [ServiceEvent] {
        try await store.events(after: 0, of: nil, limit: 1000).events
    }

    @Test func aPageSaysHowFarItGoes() async throws {
        let (job, other) = (try await asset("a.zip"), try await asset("b.zip"))
        try await progress(job)
        try await progress(other)
        // One that another version wrote ends no page.
        try await store.database.write { session in
            try session.execute("UPDATE events SET kind = 'new' WHERE number = 10")
        }
        let first = try await store.events(after: 0, of: nil, limit: 10)
        #expect(first.events.count == 9)
        #expect((first.end, first.newest) == (10, 42))
        let rest = try await store.events(after: first.end, of: nil, limit: 100)
        #expect(rest.events.count == 32)
        #expect((rest.end, rest.newest) == (42, 42))
        // Of an asset's page that is its last nothing else is up to the newest.
        #expect(try await store.events(after: 0, of: job.asset.id, limit: 100).end == 42)
        #expect(try await store.events(after: 0, of: job.asset.id, limit: 5).end == 6)
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
