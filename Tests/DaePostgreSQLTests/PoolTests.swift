import DaeCore
import TestSupport
import Testing

@testable import DaePostgreSQL

@Suite(Database.isThere) struct PoolTests {
    @Test func thereAreNeverMoreConnectionsThanWereAsked() async throws {
        let pool = try Database.pool {
            $0.connections = 3
            $0.applicationName = "bounded"
        }
        let counts = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await pool.read { connection in
                        try connection.rows(
                            "SELECT count(*) AS n, pg_sleep(0.01) FROM pg_stat_activity WHERE application_name = 'bounded'"
                        ).first?.integer("n") ?? 0
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 40 && counts.max() == 3)
    }

    @Test func connectionsGoWithTheirPool() async throws {
        var pool: PostgreSQLPool? = try Database.pool { $0.applicationName = "leaving" }
        try await pool?.script("SELECT 1")
        pool = nil
        let other = try Database.pool()
        let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leaving'"
        for _ in 0..<200 where try await other.value(count) != 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try await other.value(count) == 0)
    }

    @Test func whoWaitsForTooLongIsToldSoAndTheOthersKeepTheirOrder() async throws {
        let pool = try Database.pool {
            $0.connections = 1
            $0.waitTimeout = .milliseconds(200)
        }
        let isHeld = Tally()
        let release = Tally()
        let holder = Task {
            try await pool.write { _ in
                isHeld.add()
                while release.value == 0 { usleep(1000) }
            }
        }
        while isHeld.value == 0 { await Task.yield() }
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.script("SELECT 1") }
        guard case .noFreeConnection(let reason) = error else { throw error ?? PostgreSQLError.unsuitable("no error") }
        #expect(reason == "all 1 were in use for 0.2 seconds")
        #expect(error?.isTransient == true)
        release.add()
        try await holder.value
        #expect(try await pool.value("SELECT 2::bigint") == 2)
    }

    @Test func cancellingEndsAWaitForAConnectionAndAStatement() async throws {
        let pool = try Database.pool {
            $0.connections = 1
            $0.applicationName = "cancelled"
        }
        let began = ContinuousClock.now
        let statement = Task { try await pool.script("SELECT pg_sleep(25)") }
        let other = try Database.pool()
        let active =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cancelled' AND query LIKE '%sleep(25)'"
        while try await other.value(active) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let waiter = Task { try await pool.script("SELECT 1") }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        statement.cancel()
        await #expect(throws: CancellationError.self) { try await statement.value }
        #expect(try await pool.value("SELECT 1::bigint") == 1)
        // The server sees that nobody waits any more.
        while try await other.value(active) != 0 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(ContinuousClock.now - began < .seconds(60))
        let early = Task { try await pool.script("SELECT 1") }
        early.cancel()
        _ = await early.result
        #expect(try await pool.value("SELECT 1::bigint") == 1)
    }

    @Test func manyThatAreCancelledAtAnyMomentAreAllAnswered() async throws {
        let pool = try Database.pool {
            $0.connections = 2
            $0.waitTimeout = .milliseconds(300)
        }
        var numbers = SeededNumbers(seed: 3)
        let pauses = (0..<120).map { _ in Int.random(in: 0...40, using: &numbers) }
        await withTaskGroup(of: Void.self) { group in
            for pause in pauses {
                group.addTask {
                    let task = Task { try await pool.read { try $0.rows("SELECT pg_sleep(0.01)") } }
                    try? await Task.sleep(for: .milliseconds(pause))
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        #expect(try await pool.value("SELECT 1::bigint") == 1)
    }
}
