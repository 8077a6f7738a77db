/// What the databases call differently.
enum SQLDialect: Sendable {
    case sqlite
    case postgreSQL

    /// A comparison of texts by a pattern, in letters of either case.
    var like: String {
        switch self {
        case .sqlite: "LIKE"
        case .postgreSQL: "ILIKE"
        }
    }

    /// The names of all states with how many assets have each. SQLite counts by its index, which many nodes on millions of
    /// assets would do too often.
    var stateCounts: String {
        switch self {
        case .sqlite: "SELECT stateName, count(*) AS number FROM assets GROUP BY stateName"
        case .postgreSQL:
            """
            SELECT stateName, CAST(sum(number) AS bigint) AS number FROM stateTotals
            GROUP BY stateName HAVING sum(number) <> 0
            """
        }
    }

    /// Whether several nodes may share it, which then part among them what one does for all.
    var hasNodes: Bool {
        switch self {
        case .sqlite: false
        case .postgreSQL: true
        }
    }

    /// A join that begins with what stands first.
    var orderedJoin: String {
        switch self {
        case .sqlite: "CROSS JOIN"
        case .postgreSQL: "JOIN"
        }
    }

    /// Collects two columns as a JSON object.
    var jsonObject: String {
        switch self {
        case .sqlite: "json_group_object"
        case .postgreSQL: "json_object_agg"
        }
    }

    /// The texts of a JSON list as rows: a statement stays the same for any number of them.
    ///
    /// - Parameter list: The argument, as `$1`.
    func texts(_ list: String) -> String {
        switch self {
        case .sqlite: "SELECT value FROM json_each(\(list))"
        case .postgreSQL: "SELECT json_array_elements_text(CAST(\(list) AS json))"
        }
    }

    /// Behind a query of a transaction that decides by its rows: keeps them as they are until the transaction ends. SQLite
    /// has one writer at a time.
    ///
    /// - Parameter tables: Those whose rows they are, in the order in which they are locked, with commas between them.
    func locking(_ tables: String) -> String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE OF \(tables)"
        }
    }

    /// The same, without those that others keep.
    func lockingFree(_ table: String) -> String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE OF \(table) SKIP LOCKED"
        }
    }

    /// Keeps an event under the next number. In PostgreSQL a row counts, so that numbers come in the order in
    /// which transactions are kept, without a gap: nobody who reads on behind the newest misses one.
    var insertEvent: String {
        switch self {
        case .sqlite: "INSERT INTO events (asset, kind, data, at) VALUES ($1, $2, $3, $4)"
        case .postgreSQL:
            """
            WITH head AS (UPDATE eventHead SET number = number + 1 RETURNING number)
            INSERT INTO events (number, asset, kind, data, at) SELECT number, $1, $2, $3, $4 FROM head
            """
        }
    }

    /// Forgets events that are so far behind the newest. PostgreSQL would read all of them for a subquery by `IN`; by its
    /// array it looks for each.
    var deleteEvents: String {
        let old = "SELECT number FROM events WHERE number <= (SELECT max(number) FROM events) - $1"
        return switch self {
        case .sqlite: "DELETE FROM events WHERE number IN (\(old))"
        case .postgreSQL: "DELETE FROM events WHERE number = ANY (ARRAY(\(old) \(lockingFree("events"))))"
        }
    }

    /// The last number that a table gave one of its rows, which may be gone; `nil` where it gave none.
    func lastNumber(of table: String, _ column: String) -> String {
        switch self {
        case .sqlite: "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'"
        case .postgreSQL where table == "events": "SELECT nullif(number, 0) FROM eventHead"
        case .postgreSQL:
            "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence('\(table)', '\(column)') AS regclass))"
        }
    }

    /// Has a table number its next row behind that number.
    func goOn(behind number: Int64, _ table: String, _ column: String) -> [String] {
        switch self {
        case .sqlite:
            [
                "DELETE FROM sqlite_sequence WHERE name = '\(table)'",
                "INSERT INTO sqlite_sequence (name, seq) VALUES ('\(table)', \(number))",
            ]
        case .postgreSQL where table == "events": ["UPDATE eventHead SET number = \(number)"]
        case .postgreSQL: ["SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), \(number))"]
        }
    }

    /// Wakes those on other nodes who wait for something to have been kept.
    var wake: String? {
        switch self {
        case .sqlite: nil
        case .postgreSQL: "SELECT pg_notify('\(PostgreSQLDatabase.channel)', '')"
        }
    }
}
