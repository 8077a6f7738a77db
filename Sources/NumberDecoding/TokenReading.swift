/// What one token says, in whatever spelling. Not for the hot loops, which read plain numbers themselves.
enum TokenReading<Number> {
    case plain(Number)
    case odd(Number, NumberIssue.Kind)
    case unreadable(NumberIssue.Kind)
}

extension TokenReading where Number: BinaryFormat {
    /// - Parameter point: The byte that is the decimal point; a comma is told of.
    static func real(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading {
        if let decimal = DecimalText(token, point: point) {
            let value = Number(nearest: decimal)
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

extension TokenReading<Int32> {
    /// - Parameter point: The byte that is the decimal point; a comma is told of.
    static func integer(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading {
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
