import DaeCore
import TestSupport
import Testing

@testable import DaePostgreSQL

/// Servers that go and come back, and addresses where there is none.
@Suite(Database.isThere) struct OutageTests {
    private func pool(_ address: String, _ change: (inout PostgreSQLSettings) -> Void = { _ in }) throws
        -> PostgreSQLPool
    {
        var settings = PostgreSQLSettings()
        settings.reconnectTimeout = .zero
        settings.connectTimeout = .seconds(2)
        change(&settings)
        return PostgreSQLPool(try PostgreSQLAddress(address), settings)
    }

    private func refusal(_ address: String) async throws -> PostgreSQLError {
        let pool = try pool(address)
        let error = await #expect(throws: PostgreSQLError.self) { try await pool.script("SELECT 1") }
        let found = try #require(error)
        #expect(!"\(found)".contains("word") || "\(found)".contains("password authentication"))
        #expect(!"\(found)".contains("\n"))
        return found
    }

    @Test func eachKindOfRefusalIsTold() async throws {
        let server = try Database.server
        switch try await refusal(server.address(password: "wr0ng")) {
        case .loginRefused(let reason): #expect(reason.contains("authentication failed"))
        case let other: Issue.record("\(other)")
        }
        switch try await refusal(server.address("nowhere")) {
        case .noDatabase(let reason): #expect(reason.contains("\"nowhere\""))
        case let other: Issue.record("\(other)")
        }
        let closed = try Listener(accepts: false)
        defer { close(closed.descriptor) }
        switch try await refusal(server.address(port: closed.port)) {
        case .unreachable(let reason): #expect(reason.contains("Connection refused"))
        case let other: Issue.record("\(other)")
        }
        switch try await refusal("postgresql://tester:x@host.invalid/postgres") {
        case .unreachable(let reason): #expect(reason.contains("host.invalid"))
        case let other: Issue.record("\(other)")
        }
        switch try await refusal(server.address(options: "?sslmode=require")) {
        case .tls(let reason): #expect(reason.contains("does not support SSL"))
        case let other: Issue.record("\(other)")
        }
    }

    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        let silent = try Listener()
        defer { close(silent.descriptor) }
        let pool = try pool(Database.server.address(port: silent.port)) { $0.connectTimeout = .milliseconds(300) }
        await #expect(throws: PostgreSQLError.unreachable("no connection within 0.3 seconds")) {
            try await pool.script("SELECT 1")
        }
    }

    @Test(.enabled(if: NginxServer.hasOpenSSL, "openssl, which makes a certificate, is not installed"))
    func tlsIsCheckedAgainstTheAuthority() async throws {
        let server = try PostgreSQLServer { try Certificate(in: $0, names: "IP:127.0.0.1") }
        let folder = try TemporaryFolder()
        let other = try Certificate(in: folder, names: "IP:127.0.0.1")
        let used = "SELECT count(*) FROM pg_stat_ssl WHERE ssl AND pid = pg_backend_pid()"
        let plain = try pool(server.address(options: "?sslmode=require"))
        #expect(try await plain.value(used) == 1)
        let checked = try pool(server.address(options: "?sslmode=verify-full&sslrootcert=\(server.authority ?? "")"))
        #expect(try await checked.value(used) == 1)
        switch try await refusal(server.address(options: "?sslmode=verify-full&sslrootcert=\(other.authority)")) {
        case .tls(let reason): #expect(reason.contains("certificate verify failed"))
        case let error: Issue.record("\(error)")
        }
    }

    @Test(arguments: [false, true])
    func aRestartBetweenTransactionsIsNotNoticed(immediately: Bool) async throws {
        let server = try PostgreSQLServer()
        let pool = try pool(server.address()) { $0.reconnectTimeout = .seconds(20) }
        #expect(try await pool.value("SELECT 1::bigint") == 1)
        server.stop(immediately: immediately)
        try server.start()
        #expect(try await pool.value("SELECT 2::bigint") == 2)
        server.stop(immediately: immediately)
        async let late = pool.value("SELECT 3::bigint")
        try await Task.sleep(for: .milliseconds(300))
        try server.start()
        #expect(try await late == 3)
    }

    @Test func aTransactionThatARestartCutIsRunAgainOnce() async throws {
        let server = try PostgreSQLServer()
        let pool = try pool(server.address()) { $0.reconnectTimeout = .seconds(20) }
        try await pool.script("CREATE TABLE cut (n bigint)")
        let runs = Tally()
        try await pool.write { connection in
            try connection.execute("INSERT INTO cut VALUES (1)")
            if runs.add() == 1 {
                server.stop(immediately: true)
                try server.start()
            }
            try connection.execute("INSERT INTO cut VALUES (2)")
        }
        #expect(runs.value == 2)
        #expect(try await pool.value("SELECT sum(n) FROM cut") == 3)
    }

    @Test func aBackendThatIsEndedEachTimeIsGivenUp() async throws {
        let pool = try Database.pool()
        let runs = Tally()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { connection in
                runs.add()
                _ = try connection.rows("SELECT pg_terminate_backend(pg_backend_pid())")
            }
        }
        guard case .connectionLost = error else { throw error ?? PostgreSQLError.unsuitable("no error") }
        #expect(runs.value == 4)
        #expect(try await pool.value("SELECT 1::bigint") == 1)
    }

    /// A trigger that runs within COMMIT ends the backend: the client cannot know whether it was done.
    @Test func aConnectionThatIsLostInCommitLeavesTheOutcomeUnknown() async throws {
        let pool = try Database.pool()
        try await pool.script(
            """
            CREATE TABLE doubtful (n bigint);
            CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON doubtful DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION ends();
            """)
        let runs = Tally()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.write { connection in
                runs.add()
                try connection.execute("INSERT INTO doubtful VALUES (1)")
            }
        }
        guard case .outcomeUnknown = error else { throw error ?? PostgreSQLError.unsuitable("no error") }
        #expect(runs.value == 1)
        #expect(error?.isTransient == true)
    }

    @Test func aRefusalInCommitIsNoDoubt() async throws {
        let pool = try Database.pool()
        try await pool.script(
            "CREATE TABLE deferred (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO deferred VALUES (1)")
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.script("INSERT INTO deferred VALUES (1)")
        }
        #expect(error?.isUniqueViolation == true)
    }
}
