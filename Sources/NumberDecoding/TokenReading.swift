/// What one token says, in whatever spelling. Not for the hot loops, which read plain numbers themselves.
enum TokenReading<Number> {
    case plain(Number)
    case odd(Number, NumberIssue.Kind)
    case unreadable(NumberIssue.Kind)
}

extension BinaryFormat {
    static var placeholder: Self { .nan }

    static func scan(_ text: PaddedText, from start: Int, into values: inout [Self]) -> Int {
        RealScanner<Self>.scan(text, from: start, into: &values)
    }

    static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Self> {
        if let decimal = DecimalText(token, point: point) {
            let value = Self(nearest: decimal)
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

extension Int32 {
    static var placeholder: Int32 { 0 }

    static func scan(_ text: PaddedText, from start: Int, into values: inout [Int32]) -> Int {
        IntegerScanner.scan(text, from: start, into: &values)
    }

    static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Int32> {
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
