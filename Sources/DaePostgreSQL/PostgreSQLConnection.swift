import CLibPQ
import DaeCore
import Synchronization

/// One connection, for one thread at a time. Its calls block, each within its time-outs; what breaks off in the midst of
/// an exchange closes it. A class because it owns libpq's handle.
package final class PostgreSQLConnection {
    /// Statements that stay prepared; with more all are prepared anew.
    private static let mostPrepared = 200
    /// How late a wait sees that it was stopped.
    private static let longestWait = 250

    /// A text with arguments of other types is another statement.
    private struct Statement: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// `nil` once it is closed.
    private var handle: OpaquePointer?
    private var prepared: [Statement: String] = [:]
    /// The last error of a statement: why the transaction is void, where it is.
    private var failure: PostgreSQLError?
    /// Until an answer must be there: longer than the server itself gives a statement.
    private var patience: Duration
    /// When the present transaction began, in milliseconds since 1970 by the server's clock.
    package private(set) var began: Int64 = 0
    /// Ends every wait when it is set.
    var stop: StopFlag?

    private static let library: String? = dae_pq_load().map { String(cString: $0) }

    /// Connects.
    init(_ address: PostgreSQLAddress, _ settings: PostgreSQLSettings, stop: StopFlag?) throws {
        patience = settings.statementTimeout + settings.networkTimeout
        self.stop = stop
        if let reason = Self.library { throw PostgreSQLError.noLibrary(reason) }
        let parameters = Array(address.parameters.merging(settings.parameters) { given, _ in given })
        handle = try CStrings.with(parameters.map(\.key) + [nil]) { names in
            try CStrings.with(parameters.map(\.value) + [nil]) { dae_pq_connectStartParams(names, $0, 0) }
        }
        guard let handle else { throw PostgreSQLError.unreachable("no memory for a connection") }
        dae_pq_silence(handle)
        _ = dae_pq_setErrorVerbosity(handle, Int32(dae_pq_verbose))
        try connect(handle, within: settings.connectTimeout)
        _ = dae_pq_setnonblocking(handle, 1)
    }

    deinit { close() }

    var isOpen: Bool { handle != nil }

    func close() {
        if let handle { dae_pq_finish(handle) }
        handle = nil
    }

    private func connect(_ handle: OpaquePointer, within limit: Duration) throws {
        let deadline = ContinuousClock.now + limit
        // What could not even begin says so here; the first wait is for the socket to take something.
        var step = dae_pq_status(handle) == 1 ? dae_pq_poll_failed : dae_pq_poll_writing
        while step != dae_pq_poll_ok {
            guard step == dae_pq_poll_reading || step == dae_pq_poll_writing else {
                throw PostgreSQLError(connecting: String(cString: dae_pq_errorMessage(handle)))
            }
            guard try wait(handle, step == dae_pq_poll_reading ? POLLIN : POLLOUT, until: deadline) != 0 else {
                throw PostgreSQLError.unreachable("no connection within \(limit)")
            }
            step = Int(dae_pq_connectPoll(handle))
        }
    }

    // MARK: - Exchanges

    /// What is ready of the socket; 0 where nothing is until the deadline.
    ///
    /// - Throws: `CancellationError` where it is stopped.
    private func wait(_ handle: OpaquePointer, _ events: Int32, until deadline: ContinuousClock.Instant) throws -> Int32
    {
        while true {
            if let stop, stop.isSet {
                close()
                throw CancellationError()
            }
            let left = (deadline - .now).inMilliseconds
            var socket = pollfd(fd: dae_pq_socket(handle), events: Int16(events), revents: 0)
            let count = poll(&socket, 1, Int32(min(left, Self.longestWait)))
            if count > 0 { return Int32(socket.revents) }
            if left == 0 { return 0 }
        }
    }

    /// Sends something, and reads all answers to it.
    ///
    /// - Returns: The last of them; `nil` where there is none.
    private func exchange(_ send: (OpaquePointer) throws -> Int32) throws -> QueryResult? {
        guard let handle else { throw PostgreSQLError.connectionLost("it is closed") }
        let deadline = ContinuousClock.now + patience
        guard try send(handle) == 1 else { throw broken(handle) }
        while true {
            let left = dae_pq_flush(handle)
            if left == 0 { break }
            guard left > 0 else { throw broken(handle) }
            // A server that is not read from may stop reading.
            let ready = try waitOrClose(handle, POLLIN | POLLOUT, until: deadline)
            guard ready & POLLIN == 0 || dae_pq_consumeInput(handle) == 1 else { throw broken(handle) }
        }
        var last: QueryResult?
        var failure: PostgreSQLError?
        while true {
            while dae_pq_isBusy(handle) != 0 {
                _ = try waitOrClose(handle, POLLIN, until: deadline)
                guard dae_pq_consumeInput(handle) == 1 else {
                    let end = broken(handle)
                    throw failure ?? end
                }
            }
            guard let pointer = dae_pq_getResult(handle) else { break }
            let result = QueryResult(pointer)
            switch result.status {
            case dae_pq_empty, dae_pq_done, dae_pq_rows: last = consume result
            case dae_pq_error, dae_pq_bad: failure = failure ?? PostgreSQLError(result)
            default:
                close()
                throw PostgreSQLError.unsuitable("COPY is not understood here")
            }
        }
        guard let failure else { return last }
        self.failure = failure
        if case .connectionLost = failure { close() }
        if dae_pq_status(handle) != dae_pq_connected { close() }
        throw failure
    }

    private func waitOrClose(
        _ handle: OpaquePointer, _ events: Int32, until deadline: ContinuousClock.Instant
    ) throws -> Int32 {
        let ready = try wait(handle, events, until: deadline)
        if ready == 0 {
            close()
            throw PostgreSQLError.timedOut("no answer within \(patience)")
        }
        return ready
    }

    private func broken(_ handle: OpaquePointer) -> PostgreSQLError {
        let reason = PostgreSQLError.line(String(cString: dae_pq_errorMessage(handle)))
        close()
        return .connectionLost(reason)
    }

    private func answer(_ sql: String, _ arguments: [PostgreSQLValue]) throws -> QueryResult? {
        let statement = Statement(sql: sql, types: arguments.map(\.type))
        let name = try prepared[statement] ?? prepare(statement)
        let texts = arguments.map(\.sent)
        return try exchange { handle in
            try CStrings.with(texts) {
                dae_pq_sendQueryPrepared(handle, name, Int32(texts.count), $0, nil, nil, 0)
            }
        }
    }

    private func prepare(_ statement: Statement) throws -> String {
        if prepared.count >= Self.mostPrepared {
            try script("DEALLOCATE ALL")
            prepared = [:]
        }
        let name = "s\(prepared.count)"
        _ = try exchange { handle in
            try CStrings.with([statement.sql]) {
                dae_pq_sendPrepare(handle, name, $0[0], Int32(statement.types.count), statement.types)
            }
        }
        prepared[statement] = name
        return name
    }
}

// MARK: - Statements

extension PostgreSQLConnection {
    /// The rows of a statement, in which `$1`, `$2` and so on stand for the arguments.
    package func rows(_ sql: String, _ arguments: [PostgreSQLValue] = []) throws -> [PostgreSQLRow] {
        try answer(sql, arguments)?.rows ?? []
    }

    /// Runs a statement, in which `$1`, `$2` and so on stand for the arguments.
    ///
    /// - Returns: How many rows it changed.
    @discardableResult
    package func execute(_ sql: String, _ arguments: [PostgreSQLValue] = []) throws -> Int {
        try answer(sql, arguments)?.count ?? 0
    }

    /// Runs statements without arguments, parted by semicolons.
    ///
    /// - Returns: The rows of the last.
    @discardableResult
    package func script(_ sql: String) throws -> [PostgreSQLRow] {
        try exchange { handle in try CStrings.with([sql]) { dae_pq_sendQuery(handle, $0[0]) } }?.rows ?? []
    }

    /// Waits for a notification, at most that long.
    func hasNotification(within limit: Duration) throws -> Bool {
        guard let handle else { throw PostgreSQLError.connectionLost("it is closed") }
        guard try wait(handle, POLLIN, until: .now + limit) != 0 else { return false }
        guard dae_pq_consumeInput(handle) == 1 else { throw broken(handle) }
        var found = false
        while let notification = dae_pq_notifies(handle) {
            dae_pq_freemem(notification)
            found = true
        }
        return found
    }
}

// MARK: - Transactions

extension PostgreSQLConnection {
    enum Transaction: String {
        case read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case write = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

        /// Begins it, and asks for the time: in one exchange, since most ask for it.
        var sql: String {
            "\(rawValue); SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now"
        }
    }

    /// Runs `body` once between BEGIN and COMMIT.
    ///
    /// - Parameter patience: For each of its statements, in place of the connection's own time-outs.
    func run<T>(
        _ kind: Transaction, patience: Duration? = nil, _ body: (PostgreSQLConnection) throws -> T
    ) throws -> T {
        let usual = self.patience
        defer { self.patience = usual }
        let value: T
        do {
            began = try script(kind.sql).first?.integer("now") ?? 0
            if let patience {
                self.patience = patience + usual
                let limit = patience.inMilliseconds
                try script("SET LOCAL statement_timeout = \(limit); SET LOCAL lock_timeout = \(limit)")
            }
            value = try body(self)
            // Where the body went on after an error COMMIT would change nothing, and say so to nobody.
            if let failure, let handle, Int(dae_pq_transactionStatus(handle)) == dae_pq_transaction_failed {
                throw failure
            }
        } catch {
            do { try script("ROLLBACK") } catch { close() }
            throw error
        }
        try commit(kind)
        return value
    }

    private func commit(_ kind: Transaction) throws {
        guard isOpen else { throw PostgreSQLError.connectionLost("it is closed") }
        // It is waited for even where nobody wants it any more: so its outcome is known.
        stop = nil
        do {
            try script("COMMIT")
        } catch let error as PostgreSQLError where !isOpen {
            switch kind {
            case .read: break
            case .write: throw PostgreSQLError.outcomeUnknown("\(error)")
            }
        }
    }
}

/// A wish to stop, from any thread to the one that waits.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}

/// Texts as C wants them.
enum CStrings {
    /// - Throws: ``PostgreSQLError/unsuitable(_:)`` for a text with a NUL byte, which would be cut there.
    static func with<T>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> T
    ) throws -> T {
        var bytes: [CChar] = []
        var offsets: [Int?] = []
        for var text in texts {
            offsets.append(text == nil ? nil : bytes.count)
            let hasNUL = text?.withUTF8 { utf8 in
                bytes.append(contentsOf: UnsafeRawBufferPointer(utf8).bindMemory(to: CChar.self))
                return utf8.contains(0)
            }
            if hasNUL == true { throw PostgreSQLError.unsuitable("a text with a NUL byte") }
            bytes.append(0)
        }
        return try bytes.withUnsafeBufferPointer { bytes in
            // One more, so that there is a pointer where there is no text.
            let pointers = offsets.map { offset in offset.flatMap { bytes.baseAddress?.advanced(by: $0) } } + [nil]
            return try pointers.withUnsafeBufferPointer { pointers in
                guard let first = pointers.baseAddress else { throw PostgreSQLError.unsuitable("no texts") }
                return try body(first)
            }
        }
    }
}
