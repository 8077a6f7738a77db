import TestSupport
import Testing

@testable import DaePostgreSQL

@Suite(Database.isThere) struct StatementTests {
    @Test func valuesGoThereAndComeBack() async throws {
        let pool = try Database.pool()
        try await pool.script(
            """
            CREATE TABLE kinds (id bigint PRIMARY KEY, small smallint, middle integer, flag boolean, body text,
                                share double precision, "addedBy" text, addedAt text)
            """)
        let long = String(repeating: "ü?'\\\"$1 ", count: 120_000)
        let rows = try await pool.write { connection in
            let count = try connection.execute(
                "INSERT INTO kinds VALUES ($1, $2, $3, $4 = 1, $5, $6, $7, $8), ($9, NULL, NULL, NULL, NULL, NULL, NULL, '?')",
                [.integer(.max), -3, 70_000, 1, .text(long), .real(0.1), nil, "", .integer(.min)])
            #expect(count == 2)
            return try connection.rows("SELECT * FROM kinds ORDER BY id DESC")
        }
        #expect(rows.count == 2)
        #expect(rows[0].values == [.integer(.max), -3, 70_000, 1, .text(long), .real(0.1), nil, ""])
        #expect(rows[1].values == [.integer(.min), nil, nil, nil, nil, nil, nil, "?"])
        #expect(rows[0].text("addedAt") == "" && rows[0].text("ADDEDAT") == "" && rows[0].text("addedBy") == nil)
        #expect(rows[0].integer("id") == .max && rows[1].integer("small") == nil)
        #expect(rows[0].text("absent") == nil)
        #expect(rows[0].text("id") == nil)
    }

    @Test func sumsAndCountsAreIntegers() async throws {
        let pool = try Database.pool()
        let row = try await pool.read { connection in
            try connection.rows(
                "SELECT count(*) AS n, sum(x) AS total, avg(x) AS mean, max(x::bigint) AS most FROM generate_series(1, $1) x",
                [4])
        }.first
        #expect(row?.values == [4, 10, .real(2.5), 4])
    }

    @Test func aNullThatIsFollowedByANumberIsNoOtherType() async throws {
        let pool = try Database.pool()
        try await pool.script("CREATE TABLE nulls (n bigint)")
        try await pool.write { connection in
            for value: PostgreSQLValue in [nil, 5, nil, "6"] {
                try connection.execute("INSERT INTO nulls VALUES ($1)", [value])
            }
        }
        #expect(try await pool.value("SELECT sum(n) FROM nulls") == 11)
    }

    @Test func aNULByteIsRefusedAndTheTransactionIsUsableAfterwards() async throws {
        let pool = try Database.pool()
        let found = try await pool.write { connection in
            #expect(throws: PostgreSQLError.unsuitable("a text with a NUL byte")) {
                try connection.rows("SELECT $1::text", ["a\0b"])
            }
            return try connection.rows("SELECT $1::text", ["ab"]).first?.values
        }
        #expect(found == ["ab"])
    }

    @Test func whatTheServerRefusesIsSaidWithoutTheArguments() async throws {
        let pool = try Database.pool()
        for (sql, argument, sqlstate) in [
            ("SELECT $1::bigint", "secret", "22P02"), ("SELECT * FROM nowhere WHERE a = $1", "secret", "42P01"),
            ("SELEC ?", "secret", "42601"),
        ] {
            let error = await #expect(throws: PostgreSQLError.self) {
                try await pool.read { try $0.rows(sql, [.text(argument)]) }
            }
            #expect(error?.sqlstate == sqlstate)
            #expect("\(error as Any)".contains("secret") == false)
            #expect(error?.isTransient == false)
        }
    }

    @Test func aNumberOfArgumentsThatDoesNotFitIsRefused() async throws {
        let pool = try Database.pool()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.read { try $0.rows("SELECT $1::bigint, $2::bigint", [1]) }
        }
        #expect(error?.sqlstate == "08P01")
        let many = [PostgreSQLValue](repeating: 1, count: 70_000)
        await #expect(throws: PostgreSQLError.self) { try await pool.read { try $0.rows("SELECT 1", many) } }
        #expect(try await pool.value("SELECT 1::bigint") == 1)
    }

    @Test func aStatementStaysPreparedAndIsPreparedAnewAfterAChangeOfItsTable() async throws {
        let pool = try Database.pool { $0.connections = 1 }
        try await pool.script("CREATE TABLE changing (a bigint); INSERT INTO changing VALUES (1)")
        for _ in 0..<3 {
            #expect(try await pool.read { try $0.rows("SELECT * FROM changing").first?.values } == [1])
        }
        let count = try await pool.value(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM changing%'")
        #expect(count == 1)
        try await pool.script("ALTER TABLE changing ADD COLUMN b text DEFAULT 'x'")
        #expect(try await pool.read { try $0.rows("SELECT * FROM changing").first?.values } == [1, "x"])
        try await pool.script("DEALLOCATE ALL")
        #expect(try await pool.read { try $0.rows("SELECT * FROM changing").first?.values } == [1, "x"])
    }

    @Test func notMoreThanSoManyStatementsStayPrepared() async throws {
        let pool = try Database.pool { $0.connections = 1 }
        try await pool.write { connection in
            for number in 0..<450 { _ = try connection.rows("SELECT $1::bigint + \(number)", [1]) }
        }
        let count = try await pool.read { try $0.rows("SELECT count(*) AS n FROM pg_prepared_statements") }.first
        #expect((1...200).contains(count?.integer("n") ?? 0))
    }

    @Test func scriptsHoldManyStatements() async throws {
        let pool = try Database.pool()
        try await pool.script(
            "CREATE TABLE many (a text); INSERT INTO many VALUES ('?;'); INSERT INTO many VALUES ('b')")
        #expect(try await pool.value("SELECT count(*) FROM many") == 2)
        await #expect(throws: PostgreSQLError.self) { try await pool.script("INSERT INTO many VALUES ('c'); SELEC") }
        #expect(try await pool.value("SELECT count(*) FROM many") == 2)
    }

    @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "COPY pg_class FROM STDIN"])
    func copyIsRefused(sql: String) async throws {
        let pool = try Database.pool()
        await #expect(throws: PostgreSQLError.self) { try await pool.script(sql) }
        #expect(try await pool.value("SELECT 1::bigint") == 1)
    }
}
