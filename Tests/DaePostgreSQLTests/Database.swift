import Synchronization
import TestSupport
import Testing

@testable import DaePostgreSQL

/// What the tests of this module share: one server, on which each makes tables under names of its own.
enum Database {
    /// Skips, in words, what needs a server.
    static let isThere: ConditionTrait = .enabled(
        if: PostgreSQLServer.isInstalled, "PostgreSQL's server is not installed (scripts/bootstrap test)")

    private static let shared = Result { try PostgreSQLServer() }

    static var server: PostgreSQLServer { get throws { try shared.get() } }

    static func address(_ options: String = "") throws -> PostgreSQLAddress {
        try PostgreSQLAddress(try server.address(options: options))
    }

    /// A pool on the shared server.
    static func pool(_ change: (inout PostgreSQLSettings) -> Void = { _ in }) throws -> PostgreSQLPool {
        var settings = PostgreSQLSettings()
        change(&settings)
        return PostgreSQLPool(try address(), settings)
    }
}

extension PostgreSQLPool {
    /// The first value of a lone statement's first row.
    func value(_ sql: String, _ arguments: PostgreSQLValue...) async throws -> PostgreSQLValue? {
        try await write { try $0.rows(sql, arguments).first?.values.first }
    }

    func script(_ sql: String) async throws { try await write { try $0.script(sql) } }
}

/// A number that threads count on.
final class Tally: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add(_ more: Int = 1) -> Int { number.wrappingAdd(more, ordering: .sequentiallyConsistent).newValue }
}
