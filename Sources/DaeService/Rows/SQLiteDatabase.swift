import DaeCore
import Daedalus
import GRDB

/// One SQLite file, which several processes of one machine may share.
struct SQLiteDatabase: RowDatabase {
    let pool: DatabasePool
    private let path: String
    private let now: @Sendable () -> Int64

    init(path: String, now: @escaping @Sendable () -> Int64 = AssetOperations.Instant.systemTime) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        // A transaction that begins with reading and then writes would not wait for another writer.
        configuration.maximumReaderCount = 4
        try ServiceFolder.makePrivate(path)
        pool = try DatabasePool(path: path, configuration: configuration)
        (self.path, self.now) = (path, now)
        guard try !pool.read(SQLiteSchema.migrator.hasBeenSuperseded) else { throw NewerDatabase() }
        try SQLiteSchema.migrator.migrate(pool)
        // What was said to a client stays true when the machine stops right after.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        // Headers of links are secrets: where they were removed nothing is left of them.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    }

    /// Looks, and changes nothing; what is not there is older.
    static func version(of path: String) throws -> SchemaVersion {
        guard FileMetadata(path) != nil else { return .older }
        let migrator = SQLiteSchema.migrator
        return try DatabaseQueue(path: path).read { database in
            if try migrator.hasBeenSuperseded(database) { return .newer }
            return try migrator.hasCompletedMigrations(database) ? .newest : .older
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await pool.read { try body(SQLSession($0, now: now)) }
    }

    func rows(_ sql: String, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await read { try $0.rows(sql, arguments) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await pool.write { database in
            let session = SQLSession(database, now: now)
            let value = try body(session)
            try session.finish()
            return value
        }
    }

    var dialect: SQLDialect { .sqlite }

    var bytes: Int64 { ["", "-wal", "-shm"].reduce(0) { $0 + (FileMetadata(path + $1)?.size ?? 0) } }

    func close() throws {
        // Another process on it may hold the log; then that one does it.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }
}

extension SQLSession {
    /// A transaction that goes on in SQLite already.
    convenience init(
        _ database: Database, now: @escaping @Sendable () -> Int64 = AssetOperations.Instant.systemTime
    ) {
        self.init(
            Connection(
                dialect: .sqlite,
                rows: { sql, arguments in
                    let statement = try database.cachedStatement(sql: sql)
                    let columns = SQLRow.places(statement.columnNames)
                    return try Row.fetchAll(statement, arguments: .init(arguments)).map { row in
                        SQLRow(columns: columns, values: row.databaseValues.map(SQLValue.init))
                    }
                },
                execute: { sql, arguments in
                    try database.cachedStatement(sql: sql).execute(arguments: .init(arguments))
                    return database.changesCount
                },
                now: now))
    }
}

extension StatementArguments {
    /// SQLite takes `$1` for a name.
    fileprivate init(_ values: [SQLValue]) {
        var named: [String: (any DatabaseValueConvertible)?] = [:]
        for (index, value) in values.enumerated() { named["\(index + 1)"] = value.databaseValue }
        self.init(named)
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }

    /// What the tables have no column for counts as nothing.
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        case .null, .double, .blob: self = .null
        }
    }
}
