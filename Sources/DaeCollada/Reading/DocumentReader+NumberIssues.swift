// What is reported about numbers and digits that are unusual.

import DaeDiagnostics
import DaeNumbers
import DaeSchema
import DaeXML

extension DocumentReader {
    mutating func add(_ issue: NumberIssue, at place: @autoclosure () -> Place) {
        log.add(
            code(of: issue), at: place(),
            issue.kind.message(text: issue.text, index: issue.index),
            arguments: [.init("text", issue.text), .init("index", "\(issue.index)")])
    }

    mutating func code(of issue: NumberIssue) -> FindingCode {
        switch (options.schema, issue.kind) {
        // The schema has it for a number like any other, and what it means is infinite.
        case (.strict, .outOfRange) where Double(issue.text)?.isInfinite == true: .numberNonFinite
        case (.strict, _), (.lenient, _), (.off, _): repairs ? issue.kind.code : issue.kind.codeByTheLetter
        }
    }

    mutating func report(_ hex: HexDecoder, of view: ElementView) {
        if hex.strays > 0 || hex.isOdd {
            let odd = hex.isOdd ? "a digit without its partner" : ""
            let strays = hex.strays > 0 ? "\(hex.strays) characters that are no digits" : ""
            log.add(
                .imageDataInvalid, at: view.place,
                "the hexadecimal data has \([strays, odd].filter { !$0.isEmpty }.joined(separator: " and "))")
        }
        if options.retention == .everything, !hex.isWhole {
            log.add(
                .imageTooLarge, at: view.place,
                "the embedded image has \(hex.count) bytes; the most kept is \(options.limits.textBytes)",
                arguments: [.init("bytes", "\(hex.count)"), .init("limit", "\(options.limits.textBytes)")])
        }
    }
}

extension NumberIssue.Kind {
    var code: FindingCode {
        switch self {
        case .malformed, .outOfRange: .schemaInvalidNumber
        case .nonFinite: .numberNonFinite
        case .decimalComma, .commaSeparator: .numberDecimalComma
        }
    }

    /// Where commas are not mended.
    var codeByTheLetter: FindingCode {
        switch self {
        case .malformed, .outOfRange, .decimalComma, .commaSeparator: .schemaInvalidNumber
        case .nonFinite: .numberNonFinite
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
