/// A number that can be read from text: `Double` and `Int32`.
package protocol DecodableNumber: Sendable, BitwiseCopyable {
    /// Keeps the place of what cannot be read.
    static var placeholder: Self { get }
    /// Appends plain numbers from `start` on; gives the end, or the place of the first token that is anything else.
    static func scan(_ text: PaddedText, from start: Int, into values: inout [Self]) -> Int
    /// Reads one token, in whatever spelling.
    ///
    /// - Parameter point: The byte that is the decimal point; a comma is told of.
    static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Self>
}

/// What one token says, in whatever spelling. Not for the hot loops, which read plain numbers themselves.
package enum TokenReading<Number> {
    case plain(Number)
    case odd(Number, NumberIssue.Kind)
    case unreadable(NumberIssue.Kind)
}

extension Double: DecodableNumber {
    package static var placeholder: Double { .nan }

    package static func scan(_ text: PaddedText, from start: Int, into values: inout [Double]) -> Int {
        RealScanner.scan(text, from: start, into: &values)
    }

    package static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Double> {
        if let decimal = DecimalText(token, point: point) {
            let value = Double(nearest: decimal)
            if value.isInfinite { return .odd(value, .outOfRange) }
            return point == Byte.comma ? .odd(value, .decimalComma) : .plain(value)
        }
        switch NonFiniteSpelling(token) {
        case .notANumber: return .odd(.nan, .nonFinite)
        case .infinity(let isNegative): return .odd(isNegative ? -.infinity : .infinity, .nonFinite)
        case nil: return .unreadable(.malformed)
        }
    }
}

extension Int32: DecodableNumber {
    package static var placeholder: Int32 { 0 }

    package static func scan(_ text: PaddedText, from start: Int, into values: inout [Int32]) -> Int {
        IntegerScanner.scan(text, from: start, into: &values)
    }

    package static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Int32> {
        guard let decimal = DecimalText(token, point: point) else {
            return .unreadable(NonFiniteSpelling(token) == nil ? .malformed : .nonFinite)
        }
        switch WholeNumber(decimal) {
        case .fits(let value): return point == Byte.comma ? .odd(value, .decimalComma) : .plain(value)
        case .tooLarge: return .odd(decimal.isNegative ? .min : .max, .outOfRange)
        case .fraction: return .unreadable(.malformed)
        }
    }
}
