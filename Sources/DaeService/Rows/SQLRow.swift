/// A row of an answer.
struct SQLRow: Sendable {
    /// The places of its values by their columns' names, in lower case: PostgreSQL gives no others.
    private let columns: [String: Int]
    private let values: [SQLValue]

    init(columns: [String: Int], values: [SQLValue]) { (self.columns, self.values) = (columns, values) }

    /// The places of columns whose names these are; of two of one name the first.
    static func places(_ names: some Sequence<String>) -> [String: Int] {
        Dictionary(zip(names.lazy.map { $0.lowercased() }, 0...), uniquingKeysWith: { first, _ in first })
    }

    /// A value that is there in every row.
    subscript<Value: SQLResult>(_ column: String) -> Value {
        get throws {
            let found = value(column)
            guard let value = Value(found) else { throw SQLRowError(column: column, expected: "\(Value.self)") }
            return value
        }
    }

    /// A value that may not be there.
    subscript<Value: SQLResult>(_ column: String) -> Value? {
        get throws {
            let found = value(column)
            if found == .null { return nil }
            guard let value = Value(found) else { throw SQLRowError(column: column, expected: "\(Value.self)") }
            return value
        }
    }

    var first: SQLValue { values.first ?? .null }

    /// All of its values in their order, by names in lower case.
    var named: [(name: String, value: SQLValue)] {
        columns.sorted { $0.value < $1.value }.map { ($0.key, values[$0.value]) }
    }

    private func value(_ column: String) -> SQLValue { columns[column.lowercased()].map { values[$0] } ?? .null }
}

/// A row that this program did not write.
struct SQLRowError: Error, CustomStringConvertible {
    let column: String
    let expected: String

    var description: String { "a row has something else than \(expected) in the column '\(column)'" }
}
