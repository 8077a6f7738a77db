import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// Rows that this program cannot read: another version wrote them, or they are damaged.
@Suite struct DamagedRowTests {
    private let folder: TemporaryFolder
    private let store: JobStore
    private let assets: [AssetRecord]

    init() async throws {
        folder = try TemporaryFolder()
        store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
        assets = ["a.zip", "b.zip", "c.zip"].map { name in
            AssetRecord(
                id: .random(), name: name, origin: .address("https://example.org/" + name), content: nil,
                state: .downloading(.first), created: 0, changed: 0)
        }
        for asset in assets { #expect(try await store.add(asset, key: nil, queueLimit: 10) == .added(put: .named)) }
        let damaged = assets[0].id.text
        try await store.database.write { session in
            try session.execute(
                "UPDATE assets SET state = $1 WHERE id = $2",
                [#"{"version": 1, "state": "waiting", "attempt": 1}"#, damaged])
        }
    }

    @Test func oneHidesNoneOfTheOthersOfAList() async throws {
        let page = try await store.assets(AssetQuery(limit: 10))
        #expect(page.assets.map(\.name) == ["c.zip", "b.zip"])
        #expect(page.unread.count == 1)
        #expect(page.unread.first?.hasPrefix(assets[0].id.text) == true)
        #expect(page.unread.first?.contains("waiting") == true)
    }

    @Test func oneHoldsUpNoneOfTheOthersInTheQueue() async throws {
        await #expect(throws: (any Error).self) { try await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil) }
        #expect(try await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil)?.asset.name == "b.zip")
        #expect(try await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil)?.asset.name == "c.zip")
        #expect(try await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil) == nil)
    }

    @Test func oneIsLeftAsItIsForAProgramThatCanReadIt() async throws {
        await #expect(throws: (any Error).self) { try await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil) }
        let damaged = assets[0]
        try await store.database.write { session in
            try session.execute(
                "UPDATE assets SET state = $1 WHERE id = $2",
                [try StateText.text(damaged.state), damaged.id.text])
        }
        let other = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
        let job = try #require(try await other.claim(owner: "b", lease: 1 << 40, mostBytes: nil))
        #expect(job.asset.name == "a.zip")
        #expect(job.history == .new)
    }

    @Test func aJobThatIsBegunForEverIsGivenUp() async throws {
        var history: Job.History?
        for _ in 0...Job.mostClaims + 1 {
            guard let job = try? await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil) else { continue }
            history = job.history
            try await store.giveBack(job)
        }
        #expect(history == .hopeless)
    }
}
