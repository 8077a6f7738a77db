import CLibPQ
import DaeCore

/// What a statement is given, and what it gives: the kinds that SQLite has, too.
package enum PostgreSQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
}

extension PostgreSQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    package init(_ number: (some BinaryInteger)?) { self = number.map { .integer(Int64(clamping: $0)) } ?? .null }
}

extension PostgreSQLValue {
    /// The number of PostgreSQL's type; 0 has the statement say which it is.
    var type: UInt32 {
        switch self {
        case .null, .text: 0
        case .integer: 20
        case .real: 701
        }
    }

    /// As it is sent.
    var sent: String? {
        switch self {
        case .null: nil
        case .integer(let number): String(number)
        case .real(let number): "\(number)"
        case .text(let text): text
        }
    }

    /// - Parameter type: The number of its type. A truth becomes 1 or 0; a `numeric`, as sums are, an integer where it
    ///   is one; what is not known here its text.
    init(_ text: UnsafeBufferPointer<UInt8>, type: UInt32) {
        let text = String(decoding: text, as: UTF8.self)
        let value: PostgreSQLValue? =
            switch type {
            case 16: .integer(text == "t" ? 1 : 0)
            case 20, 21, 23, 26: Int64(text).map { .integer($0) }
            case 700, 701: Double(text).map { .real($0) }
            case 1700: Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
            default: nil
            }
        self = value ?? .text(text)
    }
}

/// One row of an answer.
package struct PostgreSQLRow: Sendable {
    package let values: [PostgreSQLValue]
    /// The places of the values by their columns' names in lower case, as PostgreSQL gives them; of two of one name the
    /// first.
    package let columns: [String: Int]

    /// `nil` for NULL, for what is no integer, and where there is no such column, whatever the case of its letters.
    package func integer(_ column: String) -> Int64? {
        if case .integer(let number) = value(column) { number } else { nil }
    }

    /// As ``integer(_:)``, of texts.
    package func text(_ column: String) -> String? {
        if case .text(let text) = value(column) { text } else { nil }
    }

    private func value(_ column: String) -> PostgreSQLValue { columns[column.lowercased()].map { values[$0] } ?? .null }
}

/// libpq's answer to one statement.
struct QueryResult: ~Copyable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { dae_pq_clear(pointer) }

    var status: Int { Int(dae_pq_resultStatus(pointer)) }

    func field(_ field: Int) -> String? {
        dae_pq_resultErrorField(pointer, Int32(field)).map { String(cString: $0) }
    }

    /// Rows that were changed, or read.
    var count: Int { Int(String(cString: dae_pq_cmdTuples(pointer))) ?? 0 }

    var rows: [PostgreSQLRow] {
        let width = dae_pq_nfields(pointer)
        var columns: [String: Int] = [:]
        for column in (0..<width).reversed() {
            columns[String(cString: dae_pq_fname(pointer, column)).lowercased()] = Int(column)
        }
        let types = (0..<width).map { dae_pq_ftype(pointer, $0) }
        return (0..<dae_pq_ntuples(pointer)).map { row in
            let values = types.indices.map { value(row, Int32($0), types[$0]) }
            return PostgreSQLRow(values: values, columns: columns)
        }
    }

    private func value(_ row: Int32, _ column: Int32, _ type: UInt32) -> PostgreSQLValue {
        guard dae_pq_getisnull(pointer, row, column) == 0, let text = dae_pq_getvalue(pointer, row, column) else {
            return .null
        }
        let length = Int(dae_pq_getlength(pointer, row, column))
        return text.withMemoryRebound(to: UInt8.self, capacity: length) {
            PostgreSQLValue(UnsafeBufferPointer(start: $0, count: length), type: type)
        }
    }
}
