import CLibPQ
import DaeCore

/// Why the database did not do what it was asked.
package enum PostgreSQLError: Error, Sendable, Equatable {
    case badAddress(String)
    /// libpq is not there.
    case noLibrary(String)
    /// No connection: the host or the server is not there, or not ready.
    case unreachable(String)
    /// A wrong password, or a user who may not come in.
    case loginRefused(String)
    case noDatabase(String)
    case tls(String)
    /// All connections are in use, and were so for as long as is waited.
    case noFreeConnection(String)
    /// A statement, a lock or an answer took too long.
    case timedOut(String)
    case statement(sqlstate: String, message: String)
    /// Broken before COMMIT was sent: nothing was changed.
    case connectionLost(String)
    /// Broken after COMMIT was sent: all was changed, or nothing.
    case outcomeUnknown(String)
    /// An argument that PostgreSQL cannot hold, or a statement that is not for here.
    case unsuitable(String)
}

// MARK: - Questions

extension PostgreSQLError {
    package var sqlstate: String? {
        switch self {
        case .statement(let sqlstate, _): sqlstate
        case .badAddress, .noLibrary, .unreachable, .loginRefused, .noDatabase, .tls, .noFreeConnection, .timedOut,
            .connectionLost, .outcomeUnknown, .unsuitable:
            nil
        }
    }

    /// Whether two transactions got in each other's way, and this one can be run again at once.
    package var isConflict: Bool { ["40001", "40P01", "23505"].contains(sqlstate) }
    package var isUniqueViolation: Bool { sqlstate == "23505" }
    /// Whether the server's disk is full.
    package var isFull: Bool { sqlstate == "53100" }

    /// Whether the same may go well later, without anyone's help.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .noFreeConnection, .timedOut, .connectionLost, .outcomeUnknown: true
        case .statement(let sqlstate, _): sqlstate.hasPrefix("40") || sqlstate.hasPrefix("53")
        case .badAddress, .noLibrary, .loginRefused, .noDatabase, .tls, .unsuitable: false
        }
    }
}

extension PostgreSQLError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badAddress(let reason): "the address of the database is wrong: \(reason)"
        case .noLibrary(let reason):
            "libpq, which PostgreSQL needs (Debian's package libpq5), cannot be loaded: \(reason)"
        case .unreachable(let reason): "PostgreSQL cannot be reached: \(reason)"
        case .loginRefused(let reason): "PostgreSQL refuses the user: \(reason)"
        case .noDatabase(let reason): "the database does not exist: \(reason)"
        case .tls(let reason): "no TLS with PostgreSQL: \(reason)"
        case .noFreeConnection(let reason): "no connection to PostgreSQL was free: \(reason)"
        case .timedOut(let reason): "PostgreSQL took too long: \(reason)"
        case .statement(let sqlstate, let message): "PostgreSQL refuses a statement: \(message) (SQLSTATE \(sqlstate))"
        case .connectionLost(let reason): "the connection to PostgreSQL was lost: \(reason)"
        case .outcomeUnknown(let reason): "the connection to PostgreSQL was lost during COMMIT, done or not: \(reason)"
        case .unsuitable(let reason): "not for PostgreSQL: \(reason)"
        }
    }
}

// MARK: - Of libpq's texts

extension PostgreSQLError {
    /// - Parameter text: libpq's, after an attempt to connect with verbose errors: those of the server hold SQLSTATE
    ///   between two colons.
    init(connecting text: String) {
        let reason = Self.line(text)
        let words = text.split(separator: ":").map { $0.drop(while: { $0 == " " }) }
        let sqlstate = words.first { word in
            word.utf8.count == 5 && word.utf8.contains(where: Self.isDigit)
                && word.utf8.allSatisfy { Self.isDigit($0) || (0x41...0x5A).contains($0) }
        }
        self =
            switch sqlstate {
            case "28000", "28P01", "42501": .loginRefused(reason)
            case "3D000": .noDatabase(reason)
            // Starting or ending, or without room for one more.
            case "57P01", "57P02", "57P03", "53300": .unreachable(reason)
            case .some(let sqlstate): .statement(sqlstate: String(sqlstate), message: reason)
            // Where the connection breaks at the first word, that word was of TLS.
            case nil where text.contains("could not send SSL") || text.contains("SSL SYSCALL error"):
                .unreachable(reason)
            case nil where text.contains("SSL") || text.contains("certificate"): .tls(reason)
            case nil where text.contains("no password supplied"): .loginRefused(reason)
            case nil: .unreachable(reason)
            }
    }

    /// - Parameter result: Of a statement, with an error in it.
    init(_ result: borrowing QueryResult) {
        let sqlstate = result.field(dae_pq_field_sqlstate) ?? ""
        let message = Self.line(result.field(dae_pq_field_message) ?? "")
        self =
            switch sqlstate {
            case "57014", "55P03", "25P03": .timedOut(message)
            case "", "57P01", "57P02", "57P03": .connectionLost(message.isEmpty ? "without a word" : message)
            // Prepared before a table was changed, or no longer there: a new connection prepares anew.
            case "26000": .connectionLost(message)
            case "0A000" where result.field(dae_pq_field_function) == "RevalidateCachedQuery": .connectionLost(message)
            // These quote the value that they are about.
            case _ where sqlstate.hasPrefix("22"):
                .statement(sqlstate: sqlstate, message: String(message.prefix { $0 != "\"" }))
            default: .statement(sqlstate: sqlstate, message: message)
            }
    }

    /// What says something in a text of many lines, on one.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline)
            .filter { line in !["\t", "LOCATION:", "DETAIL:", "HINT:"].contains { line.hasPrefix($0) } }
            .joined(separator: "; ").printable()
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
