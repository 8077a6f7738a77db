import DaePostgreSQL
import Synchronization
import TestSupport
import Testing

@testable import DaeService

/// The databases that the stores of rows have to stand on, each empty when a test gets it.
enum RowDatabases: CaseIterable, CustomTestStringConvertible {
    case sqlite
    case postgreSQL

    /// Those that can be had here; the tests of PostgreSQL are skipped where its server is not installed (Debian's package
    /// postgresql).
    static var here: [RowDatabases] { PostgreSQLServer.isInstalled ? allCases : [.sqlite] }

    private struct NoDatabase: Error {
        let reason: String
    }

    static let server = Result { try PostgreSQLServer() }
    private static let made = Atomic(0)

    var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgreSQL: "PostgreSQL"
        }
    }

    /// As many clients of one empty database.
    ///
    /// - Parameter folder: Where a file of it may lie.
    func empty(in folder: TemporaryFolder, clients: Int = 1) async throws -> [any RowDatabase] {
        switch self {
        case .sqlite: return try (0..<clients).map { _ in try SQLiteDatabase(path: folder.path + "/daed.sqlite") }
        case .postgreSQL:
            let address = try Self.newDatabase()
            var databases: [any RowDatabase] = []
            for _ in 0..<clients { databases.append(try await PostgreSQLDatabase(address)) }
            return databases
        }
    }

    /// The address of an empty database of the tests' own server.
    static func newDatabase() throws -> PostgreSQLAddress { try PostgreSQLAddress(newDatabaseText()) }

    static func newDatabaseText() throws -> String {
        let server = try server.get()
        let name = "test\(made.add(1, ordering: .relaxed).newValue)"
        let (status, output) = try ChildProcess.run(
            "env", ["\(PostgreSQLServer.programs ?? "")/psql", server.address(), "-c", "CREATE DATABASE \(name)"])
        guard status == 0 else { throw NoDatabase(reason: output) }
        return server.address(name)
    }
}
