import DaePostgreSQL
import Daedalus
import GRDB
import Synchronization
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

    @Test func noneIsTakenForDamagedWhoseConnectionWasLost() async throws {
        let losing = JobStore(LosingDatabase(try SQLiteDatabase(path: folder.path + "/daed.sqlite")))
        try await store.database.write { [assets] session in
            try session.execute("DELETE FROM assets WHERE id = $1", [assets[0].id.text])
        }
        await #expect(throws: PostgreSQLError.self) {
            try await losing.claim(owner: "a", lease: 1 << 40, mostBytes: nil)
        }
        let job = try #require(try await losing.claim(owner: "a", lease: 1 << 40, mostBytes: nil))
        #expect(job.asset.name == "b.zip")
    }

    @Test func aJobThatIsBegunForEverIsGivenUp() async throws {
        var history: Job.History?
        for _ in 0...Job.mostClaims + 1 {
            guard let job = try? await store.claim(owner: "a", lease: 1 << 40, mostBytes: nil) else { continue }
            history = job.history
            try await store.release(job)
        }
        #expect(history == .hopeless)
    }
}

/// A database whose connection is lost once, where the asset of a job is read. A class because it knows that.
private final class LosingDatabase: RowDatabase {
    private let database: SQLiteDatabase
    private let losses = Atomic(1)

    init(_ database: SQLiteDatabase) { self.database = database }

    var bytes: Int64 { database.bytes }
    var dialect: SQLDialect { database.dialect }

    func rows(_ sql: String, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await database.rows(sql, arguments)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await database.write { session in
            let connection = SQLSession.Connection(
                dialect: .sqlite,
                rows: { sql, values in
                    if sql.contains("LEFT JOIN contents"), self.losses.subtract(1, ordering: .relaxed).oldValue > 0 {
                        throw PostgreSQLError.connectionLost("a test")
                    }
                    return try session.rows(sql, Self.arguments(values))
                },
                execute: { sql, values in try session.execute(sql, Self.arguments(values)) }, now: session.now)
            return try body(SQLSession(connection))
        }
    }

    func close() throws { try database.close() }

    private static func arguments(_ values: [SQLValue]) -> SQLArguments {
        var arguments: SQLArguments = []
        for value in values {
            switch value {
            case .null: Issue.record("a claim has no such argument")
            case .integer(let number): _ = arguments.add(number)
            case .text(let text): _ = arguments.add(text)
            }
        }
        return arguments
    }
}
