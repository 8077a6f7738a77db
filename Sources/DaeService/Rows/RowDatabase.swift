/// A database of rows, SQLite's or PostgreSQL's.
///
/// The stores are written once, in SQL that both understand; where they differ the ``SQLDialect`` has the words.
protocol RowDatabase: Sendable {
    /// Runs a transaction that reads one state of all rows.
    func read<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value

    /// The rows of one statement, which changes nothing.
    func rows(_ sql: String, _ arguments: SQLArguments) async throws -> [SQLRow]

    /// Runs a transaction, which is undone where `body` throws. Where others came in between it may run again: what it does
    /// beside the rows has to stand that.
    @discardableResult
    func write<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value

    /// What it takes on the disk of this machine, in bytes.
    var bytes: Int64 { get }

    /// Has an element when others may have kept something, and never where nobody tells; some are not told of.
    ///
    /// - Parameter report: Is told why nothing can be heard for a while.
    func hints(report: @escaping @Sendable (any Error) -> Void) -> AsyncStream<Void>

    /// The words that are its own.
    var dialect: SQLDialect { get }

    /// Puts all that is kept in its place; nothing may be asked any more.
    func close() throws
}

extension RowDatabase {
    /// The first row of one statement's.
    func row(_ sql: String, _ arguments: SQLArguments = []) async throws -> SQLRow? {
        try await rows(sql, arguments).first
    }

    /// The first column of one statement's rows.
    func values<Value: SQLResult>(_ sql: String, _ arguments: SQLArguments = []) async throws -> [Value] {
        try await rows(sql, arguments).compactMap { Value($0.first) }
    }

    func hints(report: @escaping @Sendable (any Error) -> Void) -> AsyncStream<Void> { AsyncStream { _ in } }
}

/// How far the tables are that somebody made.
enum SchemaVersion: Sendable {
    case older, newest, newer
}

/// An older program would not keep what the tables have had since, and nobody would know.
struct NewerDatabase: Error, CustomStringConvertible {
    let description = "a newer daed keeps its database here; use that one, or a backup of before the update."
}
