/// How many connections there are, and how long each thing may take.
package struct PostgreSQLSettings: Sendable {
    /// Connections at most, at least 1.
    package var connections = 8
    /// Until one of them is free.
    package var waitTimeout = Duration.seconds(10)
    /// Until a connection stands.
    package var connectTimeout = Duration.seconds(5)
    /// How long a transaction is begun anew while the server cannot be reached; zero for one attempt alone.
    package var reconnectTimeout = Duration.seconds(10)
    package var statementTimeout = Duration.seconds(30)
    package var lockTimeout = Duration.seconds(10)
    /// Between two statements of a transaction: who stands still in one holds up others.
    package var idleTransactionTimeout = Duration.seconds(5)
    /// Until a peer that says nothing more, not even that it has got what was sent, is taken for lost.
    package var networkTimeout = Duration.seconds(15)
    package var applicationName = "daed"

    package init() {}

    /// By libpq's names.
    var parameters: [String: String] {
        let session = [
            "statement_timeout": statementTimeout, "lock_timeout": lockTimeout,
            "idle_in_transaction_session_timeout": idleTransactionTimeout,
            // A statement whose client has gone ends within that time.
            "client_connection_check_interval": .seconds(1),
        ]
        let pause = max(networkTimeout.inMilliseconds / 4000, 1)
        // The server's side of the same: of a client that is cut off it frees what that one has locked.
        let network = [
            "tcp_user_timeout": networkTimeout.inMilliseconds, "tcp_keepalives_idle": pause,
            "tcp_keepalives_interval": pause, "tcp_keepalives_count": 3,
        ]
        let all = session.mapValues(\.inMilliseconds).merging(network) { first, _ in first }
        return [
            "options": all.map { "-c \($0.key)=\($0.value)" }.joined(separator: " "),
            "tcp_user_timeout": "\(networkTimeout.inMilliseconds)", "keepalives": "1", "keepalives_idle": "\(pause)",
            "keepalives_interval": "\(pause)", "keepalives_count": "3", "client_encoding": "UTF8",
            "gssencmode": "disable", "application_name": applicationName,
        ]
    }
}

extension Duration {
    /// Rounded up, of at most a day.
    var inMilliseconds: Int {
        let part = min(max(self, .zero), .seconds(86_400)).components
        return Int(part.seconds) * 1000 + Int((part.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
