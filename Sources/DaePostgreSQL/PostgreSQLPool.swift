import DaeCore

/// A bounded number of connections, each with a thread of its own on which what is asked of it blocks. Both come when
/// they are first needed, and go with the pool.
///
/// Who finds all of them in use waits, in order, for as long as the settings say.
package final class PostgreSQLPool: Sendable {
    package typealias Body<T> = @Sendable (PostgreSQLConnection) throws -> T

    private let queue: WorkQueue
    private let address: PostgreSQLAddress
    private let settings: PostgreSQLSettings

    package init(_ address: PostgreSQLAddress, _ settings: PostgreSQLSettings = PostgreSQLSettings()) {
        self.address = address
        self.settings = settings
        queue = WorkQueue(threads: settings.connections, patience: settings.waitTimeout)
    }

    deinit { queue.close() }

    /// Runs `body` in a transaction that sees the database as it was at its beginning and changes nothing.
    ///
    /// It is run again where the connection is lost.
    package func read<T: Sendable>(_ body: @escaping Body<T>) async throws -> T {
        try await perform { connection in try connection.run(.read, body) }
    }

    /// The rows of one statement, which changes nothing: it is run again where the connection is lost.
    package func rows(_ sql: String, _ arguments: [PostgreSQLValue] = []) async throws -> [PostgreSQLRow] {
        try await perform { connection in try connection.rows(sql, arguments) }
    }

    /// Runs `body` in a transaction whose statements each see what is committed before them.
    ///
    /// It is run again, whole, where it gets in another's way (a deadlock, a serialization failure, a row that came
    /// twice) and where the connection is lost before COMMIT, but only so often: so it must do nothing else that counts.
    ///
    /// - Parameter beforeCommit: Runs as the last statements before COMMIT.
    /// - Throws: ``PostgreSQLError/outcomeUnknown(_:)`` where the connection is lost while COMMIT is on its way.
    @discardableResult
    package func write<T: Sendable>(
        _ body: @escaping Body<T>, beforeCommit: Body<Void>? = nil
    ) async throws -> T {
        try await perform { connection in
            try connection.run(.write) { connection in
                let value = try body(connection)
                try beforeCommit?(connection)
                return value
            }
        }
    }

    /// Runs `body` in a transaction like ``write(_:beforeCommit:)`` while no other node runs one under the same key.
    ///
    /// - Parameter patience: How long the other may take, and each statement of this one.
    @discardableResult
    package func exclusively<T: Sendable>(
        _ key: Int64, patience: Duration = .seconds(600), _ body: @escaping Body<T>
    ) async throws -> T {
        try await perform { connection in
            try connection.run(.write, patience: patience) { connection in
                _ = try connection.rows("SELECT pg_advisory_xact_lock($1)", [.integer(key)])
                return try body(connection)
            }
        }
    }

    private func perform<T: Sendable>(_ attempt: @escaping Body<T>) async throws -> T {
        let (stop, id) = (StopFlag(), queue.newID())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.add(
                    WorkQueue.Work(
                        id: id,
                        run: { [address, settings] connection in
                            continuation.resume(
                                with: Result {
                                    try Self.run(attempt, on: &connection, address, settings, stop)
                                })
                        },
                        refuse: { continuation.resume(throwing: $0) }))
                // Cancelled before it was there to be refused.
                if stop.isSet { queue.refuse(id) }
            }
        } onCancel: {
            stop.set()
            queue.refuse(id)
        }
    }

    /// Attempts it until it is done, or not to be attempted again.
    private static func run<T>(
        _ attempt: Body<T>, on kept: inout PostgreSQLConnection?, _ address: PostgreSQLAddress,
        _ settings: PostgreSQLSettings, _ stop: StopFlag
    ) throws -> T {
        var reruns = Reruns(reconnectTimeout: settings.reconnectTimeout)
        while true {
            if stop.isSet { throw CancellationError() }
            do {
                let open = kept.flatMap { $0.isOpen ? $0 : nil }
                let connection = try open ?? PostgreSQLConnection(address, settings, stop: stop)
                kept = connection
                connection.stop = stop
                return try attempt(connection)
            } catch let error as PostgreSQLError {
                guard let pause = reruns.pause(after: error) else { throw error }
                Reruns.sleep(pause, stop)
            }
        }
    }
}

/// Decides whether a transaction is run again.
struct Reruns {
    private static let mostConflicts = 12
    private static let mostDuplicates = 3
    private static let mostLosses = 3

    private let reconnectTimeout: Duration
    /// When the connection failed first: what went well before that may have taken long.
    private var began: ContinuousClock.Instant?
    private var (conflicts, duplicates, losses, refusals) = (0, 0, 0, 0)

    init(reconnectTimeout: Duration) { self.reconnectTimeout = reconnectTimeout }

    /// How long to wait before the next run; `nil` where there is none.
    mutating func pause(after error: PostgreSQLError, now: ContinuousClock.Instant = .now) -> Duration? {
        switch error {
        case .statement where error.isUniqueViolation:
            duplicates += 1
            return duplicates > Self.mostDuplicates ? nil : Self.pause(5, doubled: duplicates)
        case .statement where error.isConflict:
            conflicts += 1
            return conflicts > Self.mostConflicts ? nil : Self.pause(2, doubled: conflicts)
        case .connectionLost:
            losses += 1
            let began = failing(since: now)
            // The first may be of a server that was restarted while the connection lay idle.
            if losses == 1, reconnectTimeout > .zero { return .zero }
            return losses > Self.mostLosses || now - began >= reconnectTimeout ? nil : Self.pause(100, doubled: losses)
        case .unreachable:
            refusals += 1
            let began = failing(since: now)
            let pause = Self.pause(50, doubled: refusals)
            return now + pause - began > reconnectTimeout ? nil : pause
        case .statement, .badAddress, .noLibrary, .loginRefused, .noDatabase, .tls, .noFreeConnection, .timedOut,
            .outcomeUnknown, .unsuitable:
            return nil
        }
    }

    private mutating func failing(since now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let first = began ?? now
        began = first
        return first
    }

    /// At most a second; by chance down to the half, so that two that met do not meet again.
    static func pause(_ milliseconds: Int, doubled times: Int) -> Duration {
        .milliseconds(Double(min(milliseconds << min(times, 10), 1000)) * .random(in: 0.5...1))
    }

    /// Blocks that long; a stop ends it soon.
    static func sleep(_ pause: Duration, _ stop: StopFlag) {
        let end = ContinuousClock.now + pause
        while !stop.isSet, end > .now { usleep(UInt32(min((end - .now).inMilliseconds, 100)) * 1000) }
    }
}
