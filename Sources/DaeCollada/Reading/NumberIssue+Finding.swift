// How an issue of a number is reported.

import DaeDiagnostics
import DaeNumbers

extension NumberIssue.Kind {
    /// - Parameter repairs: Whether commas are read as they were meant.
    func code(repairs: Bool) -> FindingCode {
        switch self {
        case .malformed, .outOfRange: .schemaInvalidNumber
        case .nonFinite: .numberNonFinite
        case .decimalComma, .commaSeparator: repairs ? .numberDecimalComma : .schemaInvalidNumber
        }
    }

    func message(text: String, index: Int) -> String {
        switch self {
        case .malformed: "value \(index) is \(text.quoted()), which is no number"
        case .outOfRange: "value \(index) is \(text.quoted()), which is too large"
        case .nonFinite: "value \(index) is \(text.quoted()), which is not finite"
        case .decimalComma: "value \(index) is \(text.quoted()); its comma was read as a point"
        case .commaSeparator: "value \(index) is \(text.quoted()); its commas were read as separators"
        }
    }
}
