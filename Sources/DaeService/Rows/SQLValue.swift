/// A value that a statement takes or a row has.
enum SQLValue: Sendable, Equatable, Codable {
    case null
    case integer(Int64)
    case text(String)
}

/// What a statement takes.
protocol SQLArgument {
    var sqlValue: SQLValue { get }
}

extension Int64: SQLArgument {
    var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLArgument {
    var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension String: SQLArgument {
    var sqlValue: SQLValue { .text(self) }
}

/// What stands for `$1`, `$2` and so on in a statement.
struct SQLArguments: ExpressibleByArrayLiteral, Sendable {
    private(set) var values: [SQLValue]

    init(_ values: [SQLValue]) { self.values = values }

    init(arrayLiteral elements: (any SQLArgument)?...) { values = elements.map { $0?.sqlValue ?? .null } }

    /// Adds one; gives its place, as a statement has it.
    mutating func add(_ argument: any SQLArgument) -> String {
        values.append(argument.sqlValue)
        return "$\(values.count)"
    }
}

/// What a row has.
protocol SQLResult {
    /// `nil` for a value of another kind.
    init?(_ value: SQLValue)
}

extension SQLValue: SQLResult {
    init?(_ value: SQLValue) { self = value }
}

extension Int64: SQLResult {
    init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }
}

extension Int: SQLResult {
    init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLResult {
    init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
    }
}

extension String: SQLResult {
    init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}
