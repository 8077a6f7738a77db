import DaeCore
import TestSupport
import Testing

@testable import DaePostgreSQL

@Suite(Database.isThere) struct ListenerTests {
    @Test(.timeLimit(.minutes(1))) func aNotificationIsAHintAtOnce() async throws {
        let pool = try Database.pool()
        let listener = PostgreSQLListener(try Database.address(), channel: "odd \"channel\"")
        var hints = listener.hints().makeAsyncIterator()
        _ = await hints.next()
        let began = ContinuousClock.now
        _ = try await pool.value("SELECT pg_notify($1, '')", "odd \"channel\"")
        _ = await hints.next()
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test(.timeLimit(.minutes(1))) func aRestartIsAHintAndHintsGoOn() async throws {
        let server = try PostgreSQLServer()
        let address = try PostgreSQLAddress(server.address())
        let pool = PostgreSQLPool(address)
        let reports = Tally()
        let listener = PostgreSQLListener(address, channel: "wake")
        var hints = listener.hints { _ in reports.add() }.makeAsyncIterator()
        _ = await hints.next()
        for immediately in [true, false] {
            server.stop(immediately: immediately)
            try server.start()
            _ = await hints.next()
            #expect(reports.value > 0)
            _ = try await pool.value("SELECT pg_notify('wake', '')")
            _ = await hints.next()
        }
    }

    @Test func whoStopsListeningLetsTheConnectionGo() async throws {
        var settings = PostgreSQLSettings()
        settings.applicationName = "listening"
        let listener = PostgreSQLListener(try Database.address(), channel: "quiet", settings)
        let pool = try Database.pool()
        let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'listening'"
        let task = Task { for await _ in listener.hints() {} }
        while try await pool.value(count) != 1 { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        await task.value
        for _ in 0..<200 where try await pool.value(count) != 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try await pool.value(count) == 0)
    }
}
