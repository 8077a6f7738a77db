import DaeCore
import Synchronization
import TestSupport
import Testing

@testable import DaePostgreSQL

@Suite(Database.isThere) struct TransactionTests {
    struct Refusal: Error {}

    @Test func whatThrowsChangesNothing() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE undone (a bigint)")
        await #expect(throws: Refusal.self) {
            try await pool.write { connection in
                try connection.execute("INSERT INTO undone VALUES (1)")
                throw Refusal()
            }
        }
        #expect(try await pool.value("SELECT count(*) FROM undone") == 0)
    }

    @Test func anErrorThatTheBodyPassesOverIsThrownAtItsEnd() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE passed (a bigint)")
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { connection in
                try connection.execute("INSERT INTO passed VALUES (1)")
                _ = try? connection.rows("SELECT nonsense")
            }
        }
        #expect(error?.sqlstate == "42703")
        try await pool.write { connection in
            try connection.script("SAVEPOINT here")
            _ = try? connection.rows("SELECT nonsense")
            try connection.script("ROLLBACK TO here")
            try connection.execute("INSERT INTO passed VALUES (2)")
        }
        #expect(try await pool.value("SELECT sum(a) FROM passed") == 2)
    }

    @Test func anErrorOfTheBeginningLeavesTheConnectionFree() async throws {
        let pool = try Database.pool { $0.connections = 1 }
        try await pool.script(
            """
            CREATE SCHEMA broken;
            CREATE FUNCTION broken.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'there is no time'; END $$;
            """)
        _ = try await pool.rows("SET search_path = broken, pg_catalog")
        for _ in 0..<2 {
            let error = await #expect(throws: PostgreSQLError.self) { try await pool.write { _ in } }
            #expect(error?.sqlstate == "P0001")
        }
        // The same connection serves on.
        #expect(try await pool.rows("SHOW search_path").first?.text("search_path") == "broken, pg_catalog")
        _ = try await pool.rows("RESET search_path")
        #expect(try await pool.value("SELECT 1::bigint") == 1)
    }

    @Test func readersChangeNothingAndSeeOneState() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE seen (a bigint)")
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.read { try $0.execute("INSERT INTO seen VALUES (1)") }
        }
        #expect(error?.sqlstate == "25006")
        let other = try Database.pool()
        let counts = try await pool.read { connection in
            let before = try connection.rows("SELECT count(*) FROM seen").first?.values
            let done = Mutex(false)
            Task {
                try? await other.script("INSERT INTO seen VALUES (1)")
                done.withLock { $0 = true }
            }
            while !done.withLock({ $0 }) { usleep(1000) }
            return [before, try connection.rows("SELECT count(*) FROM seen").first?.values]
        }
        #expect(counts == [[0], [0]])
        #expect(try await pool.value("SELECT count(*) FROM seen") == 1)
    }

    @Test func theHookRunsLastAndOnlyWhereTheBodyWasDone() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE hooked (id bigint GENERATED ALWAYS AS IDENTITY, a text)")
        try await pool.write(
            { try $0.execute("INSERT INTO hooked (a) VALUES ('body')") },
            beforeCommit: { try $0.execute("INSERT INTO hooked (a) VALUES ('hook')") })
        await #expect(throws: Refusal.self) {
            try await pool.write({ _ in throw Refusal() }, beforeCommit: { try $0.script("DROP TABLE hooked") })
        }
        await #expect(throws: Refusal.self) {
            try await pool.write({ try $0.script("DROP TABLE hooked") }, beforeCommit: { _ in throw Refusal() })
        }
        #expect(
            try await pool.read { try $0.rows("SELECT a FROM hooked ORDER BY id").map(\.values) } == [
                ["body"], ["hook"],
            ])
    }

    @Test func ofManyWritersNoneIsLost() async throws {
        let pool = try Database.pool { $0.connections = 4 }
        try await pool.script("CREATE TABLE counted (n bigint); INSERT INTO counted VALUES (0)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 { try await pool.write { try $0.execute("UPDATE counted SET n = n + 1") } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await pool.value("SELECT n FROM counted") == 400)
    }

    @Test func aSerializationFailureIsRunAgain() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE serial (n bigint)")
        let runs = Tally()
        try await pool.write { connection in
            try connection.execute("INSERT INTO serial VALUES (1)")
            if runs.add() < 3 { try connection.script("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$") }
        }
        #expect(runs.value == 3)
        #expect(try await pool.value("SELECT count(*) FROM serial") == 1)
    }

    @Test func aDeadlockIsRunAgain() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE crossed (id bigint, n bigint); INSERT INTO crossed VALUES (1, 0), (2, 0)")
        let runs = Tally()
        let meeting = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order: [Int64] in [[1, 2], [2, 1]] {
                group.addTask { try await cross(order) }
            }
            try await group.waitForAll()
        }
        @Sendable func cross(_ order: [Int64]) async throws {
            try await pool.write { connection in
                let isFirst = runs.add() <= 2
                try connection.execute("UPDATE crossed SET n = n + 1 WHERE id = $1", [.integer(order[0])])
                if isFirst {
                    meeting.add()
                    while meeting.value < 2 { usleep(1000) }
                }
                try connection.execute("UPDATE crossed SET n = n + 1 WHERE id = $1", [.integer(order[1])])
            }
        }
        #expect(try await pool.value("SELECT sum(n) FROM crossed") == 4)
        #expect(runs.value == 3)
    }

    @Test func aRowThatComesTwiceIsTriedSomeTimes() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE unique_rows (id bigint PRIMARY KEY); INSERT INTO unique_rows VALUES (1)")
        let runs = Tally()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { connection in
                runs.add()
                try connection.execute("INSERT INTO unique_rows VALUES (1)")
            }
        }
        #expect(error?.isUniqueViolation == true)
        #expect(runs.value == 4)
    }

    @Test func statementsAndLocksEndInTime() async throws {
        let pool = try Database.pool {
            $0.statementTimeout = .milliseconds(300)
            $0.lockTimeout = .milliseconds(100)
        }
        try await pool.script("CREATE TABLE held (n bigint)")
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.script("SELECT pg_sleep(20)") }
        guard case .timedOut = error else { throw error ?? PostgreSQLError.unsuitable("no error") }
        try await pool.write { connection in
            try connection.script("LOCK TABLE held")
            let done = Mutex<(any Error)??>(nil)
            Task {
                let result = await Task { try await pool.script("LOCK TABLE held") }.result
                done.withLock { if case .failure(let error) = result { $0 = error } else { $0 = .some(nil) } }
            }
            while done.withLock({ $0 }) == nil { usleep(1000) }
            guard case .timedOut? = done.withLock({ $0 }) as? PostgreSQLError else { throw Refusal() }
        }
    }

    @Test func oneAtATimeUnderAKey() async throws {
        let (first, second) = (try Database.pool(), try Database.pool())
        let inside = Tally()
        let together = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pool in [first, second, first, second] {
                group.addTask {
                    try await pool.exclusively(77) { connection in
                        let now = inside.add()
                        if now > 1 { together.add() }
                        try connection.script("SELECT pg_sleep(0.05)")
                        inside.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(together.value == 0)
    }
}
