import DaePostgreSQL

/// A database of a PostgreSQL server, which several nodes may share.
struct PostgreSQLDatabase: RowDatabase {
    private let pool: PostgreSQLPool
    private let address: PostgreSQLAddress

    /// What wakes those who wait for something to have been kept, on any node.
    static let channel = "daed"

    /// Brings the tables up to date, one node after the other.
    init(_ address: PostgreSQLAddress, _ settings: PostgreSQLSettings = PostgreSQLSettings()) async throws {
        pool = PostgreSQLPool(address, settings)
        self.address = address
        try await pool.exclusively(PostgreSQLSchema.lock) { connection in
            try connection.script("CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)")
            let done = Set(try connection.rows("SELECT name FROM migrations").compactMap { $0.text("name") })
            let known = PostgreSQLSchema.migrations
            guard done.isSubset(of: known.map(\.name)) else { throw NewerDatabase() }
            for (name, sql) in known where !done.contains(name) {
                try connection.script(sql)
                _ = try connection.execute("INSERT INTO migrations VALUES ($1)", [.text(name)])
            }
        }
    }

    /// Looks, and changes nothing.
    static func version(of address: PostgreSQLAddress) async -> Result<SchemaVersion, any Error> {
        var settings = PostgreSQLSettings()
        settings.reconnectTimeout = .zero
        let pool = PostgreSQLPool(address, settings)
        let known = Set(PostgreSQLSchema.migrations.map(\.name))
        do {
            return .success(
                try await pool.read { connection in
                    let isThere = "SELECT to_regclass('migrations') IS NOT NULL AS found"
                    guard try connection.rows(isThere).first?.integer("found") == 1 else { return .older }
                    let done = Set(try connection.rows("SELECT name FROM migrations").compactMap { $0.text("name") })
                    return done == known ? .newest : done.isSubset(of: known) ? .older : .newer
                })
        } catch { return .failure(error) }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await pool.read { try body(SQLSession($0)) }
    }

    func rows(_ sql: String, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await pool.rows(sql, arguments.values.map(PostgreSQLValue.init)).map(SQLRow.init)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await pool.write { connection in
            let session = SQLSession(connection)
            let value = try body(session)
            try session.finish()
            return value
        }
    }

    var dialect: SQLDialect { .postgreSQL }

    /// All is elsewhere.
    var bytes: Int64 { 0 }

    func hints(report: @escaping @Sendable (any Error) -> Void) -> AsyncStream<Void> {
        PostgreSQLListener(address, channel: Self.channel).hints(report: report)
    }

    func close() {}
}

extension PostgreSQLError: CommitError {
    var mayBeKept: Bool {
        if case .outcomeUnknown = self { true } else { false }
    }
}

extension SQLSession {
    /// A transaction that goes on in PostgreSQL already.
    fileprivate convenience init(_ connection: PostgreSQLConnection) {
        self.init(
            Connection(
                dialect: .postgreSQL,
                rows: { sql, arguments in
                    try connection.rows(sql, arguments.map(PostgreSQLValue.init)).map(SQLRow.init)
                },
                execute: { sql, arguments in try connection.execute(sql, arguments.map(PostgreSQLValue.init)) },
                now: { connection.began }))
    }
}

extension SQLRow {
    fileprivate init(_ row: PostgreSQLRow) {
        self.init(columns: row.columns, values: row.values.map(SQLValue.init))
    }
}

extension PostgreSQLValue {
    fileprivate init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        }
    }
}

extension SQLValue {
    /// What the tables have no column for counts as nothing.
    fileprivate init(_ value: PostgreSQLValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .null, .real: self = .null
        }
    }
}
