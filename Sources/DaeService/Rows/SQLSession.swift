import Daedalus

/// One transaction. A class because it collects what is to be told at its end.
final class SQLSession {
    /// How a database answers.
    struct Connection {
        let dialect: SQLDialect
        /// Runs a statement; gives its rows.
        let rows: (_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]
        /// Runs a statement; gives the number of rows that it changed.
        let execute: (_ sql: String, _ arguments: [SQLValue]) throws -> Int
        /// Milliseconds since 1970, UTC, by the clock that all who share the database go by.
        let now: () throws -> Int64
    }

    private struct Event {
        let asset: AssetID
        let kind: ServiceEvent.Kind
        let data: String
        let at: Int64
    }

    private let connection: Connection
    private var time: Int64?
    private var events: [Event] = []

    /// How many events are kept for those who come back.
    static let eventLimit: Int64 = 20_000

    init(_ connection: Connection) { self.connection = connection }

    var dialect: SQLDialect { connection.dialect }

    /// The same as long as the transaction lasts.
    func now() throws -> Int64 {
        if let time { return time }
        let time = try connection.now()
        self.time = time
        return time
    }

    // MARK: - Statements

    func rows(_ sql: String, _ arguments: SQLArguments = []) throws -> [SQLRow] {
        try connection.rows(sql, arguments.values)
    }

    /// The first row.
    func row(_ sql: String, _ arguments: SQLArguments = []) throws -> SQLRow? { try rows(sql, arguments).first }

    /// The first column of the first row; `nil` where there is none, or nothing in it.
    func value<Value: SQLResult>(_ sql: String, _ arguments: SQLArguments = []) throws -> Value? {
        try row(sql, arguments).flatMap { Value($0.first) }
    }

    /// The first column of all rows.
    func values<Value: SQLResult>(_ sql: String, _ arguments: SQLArguments = []) throws -> [Value] {
        try rows(sql, arguments).compactMap { Value($0.first) }
    }

    /// Whether a query has a row.
    func has(_ query: String, _ arguments: SQLArguments = []) throws -> Bool {
        try value("SELECT EXISTS (\(query))", arguments) ?? false
    }

    /// Gives the number of rows that were changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: SQLArguments = []) throws -> Int {
        try connection.execute(sql, arguments.values)
    }

    // MARK: - Events

    /// Records an event, of which watchers are told once the transaction is kept.
    func record(_ kind: ServiceEvent.Kind, _ data: String, of asset: AssetID, at: Int64) {
        events.append(Event(asset: asset, kind: kind, data: data, at: at))
    }

    /// Has those look on other nodes who wait for something to have been kept, once it is.
    func wake() throws {
        if let wake = dialect.wake { _ = try rows(wake) }
    }

    /// The last that a transaction does before it is kept: whoever numbers an event has all others wait.
    func finish() throws {
        guard !events.isEmpty else { return }
        try wake()
        try execute(dialect.deleteEvents, [Self.eventLimit - Int64(events.count)])
        for event in events {
            try execute(dialect.insertEvent, [event.asset.text, event.kind.rawValue, event.data, event.at])
        }
        events = []
    }
}
