/// A number that can be read from text: `Double` and `Int32`.
package protocol DecodableNumber: Sendable, BitwiseCopyable {
    /// Keeps the place of what cannot be read.
    static var placeholder: Self { get }
    /// Reads plain numbers by vector instructions, up to a token that is not plain to them.
    ///
    /// - Parameters:
    ///   - bytes: A padded text, and the padding.
    ///   - place: A token's beginning or white space before it; moved on behind what is read.
    ///   - end: Of the text.
    static func scanVectors(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, into output: inout OutputSpan<Self>)
    /// Reads the token at `place` in a padded text, and gives where it ends; `nil` where it is no plain finite number.
    static func plain(_ bytes: Span<UInt8>, at place: Int) -> (value: Self, end: Int)?
    /// Reads one token, in whatever spelling.
    ///
    /// - Parameter point: The byte that is the decimal point.
    static func reading(_ token: Span<UInt8>, point: UInt8) -> TokenReading<Self>
}

/// What one token says, in whatever spelling.
package enum TokenReading<Number> {
    case plain(Number)
    case unusual(Number, NumberIssue.Kind)
    case unreadable(NumberIssue.Kind)
}

// MARK: - Reals

extension Double: DecodableNumber {
    package static var placeholder: Double { .nan }

    // No allocation; eight digits at a time.
    @inline(__always)
    package static func plain(_ bytes: Span<UInt8>, at token: Int) -> (value: Double, end: Int)? {
        let first = bytes[token]
        var place = token + (Byte.isSign(first) ? 1 : 0)

        var block = DigitBlock(bytes, at: place)
        var significand = block.value
        var digits = block.count
        place += block.count
        while block.count == DigitBlock.size {
            block = DigitBlock(bytes, at: place)
            significand = block.appended(to: significand)
            digits &+= block.count
            place += block.count
        }

        var exponent = 0
        if bytes[place] == Byte.point {
            place += 1
            let point = place
            repeat {
                block = DigitBlock(bytes, at: place)
                significand = block.appended(to: significand)
                place += block.count
            } while block.count == DigitBlock.size
            exponent = point - place
            digits &-= exponent
        }
        guard digits > 0 else { return nil }

        if !Byte.isSpace(bytes[place]) {
            guard Byte.isExponent(bytes[place]) else { return nil }
            guard let (written, end) = shortExponent(bytes, at: place + 1) else { return slow(bytes, at: token) }
            exponent &+= written
            place = end
        }
        guard digits <= DecimalText.significandDigits else { return slow(bytes, at: token) }
        let isNegative = first == Byte.minus
        let value =
            Double(significand, exponent: exponent, isNegative: isNegative)
            ?? long(significand, exponent: exponent, isNegative: isNegative)
        guard let value else { return slow(bytes, at: token) }
        return value.isInfinite ? nil : (value, place)
    }

    /// An exponent of one to seven digits with white space behind it; `nil` for any other.
    @inline(__always)
    private static func shortExponent(_ bytes: Span<UInt8>, at start: Int) -> (value: Int, end: Int)? {
        let sign = bytes[start]
        let place = start + (Byte.isSign(sign) ? 1 : 0)
        let block = DigitBlock(bytes, at: place)
        let end = place + block.count
        guard (1..<DigitBlock.size).contains(block.count), Byte.isSpace(bytes[end]) else { return nil }
        let value = Int(truncatingIfNeeded: block.value)
        return (sign == Byte.minus ? -value : value, end)
    }

    /// A number of up to nineteen digits; `nil` where these do not settle it.
    @inline(never)
    private static func long(_ significand: UInt64, exponent: Int, isNegative: Bool) -> Double? {
        guard significand != 0 else { return Double(pattern: 0, isNegative: isNegative) }
        switch EiselLemire.round(significand, exponent: exponent) {
        case .settled(let pattern): return Double(pattern: pattern, isNegative: isNegative)
        case .undecided: return nil
        }
    }

    /// Any number of digits, any exponent, at any cost.
    @inline(never)
    private static func slow(_ bytes: Span<UInt8>, at place: Int) -> (value: Double, end: Int)? {
        let end = bytes.tokenEnd(from: place)
        let token = bytes.extracting(place..<end)
        guard let decimal = DecimalText(token) else { return nil }
        let value = Double(nearest: decimal, writtenIn: token)
        return value.isInfinite ? nil : (value, end)
    }

    package static func reading(_ token: Span<UInt8>, point: UInt8) -> TokenReading<Double> {
        if let decimal = DecimalText(token, point: point) {
            let value = Double(nearest: decimal, writtenIn: token)
            if value.isInfinite { return .unusual(value, .outOfRange) }
            return point == Byte.comma ? .unusual(value, .decimalComma) : .plain(value)
        }
        switch NonFiniteSpelling(token) {
        case .notANumber: return .unusual(.nan, .nonFinite)
        case .infinity(let isNegative): return .unusual(isNegative ? -.infinity : .infinity, .nonFinite)
        case nil: return .unreadable(.malformed)
        }
    }
}

// MARK: - Integers

extension Int32: DecodableNumber {
    package static var placeholder: Int32 { 0 }

    @inline(__always)
    package static func plain(_ bytes: Span<UInt8>, at token: Int) -> (value: Int32, end: Int)? {
        let start = token + (Byte.isSign(bytes[token]) ? 1 : 0)
        let digits = DigitBlock(bytes, at: start)
        let end = start + digits.count
        guard Byte.isSpace(bytes[end]), digits.count > 0 else { return slow(bytes, at: token) }
        let value = Int32(truncatingIfNeeded: digits.value)
        return (bytes[token] == Byte.minus ? 0 &- value : value, end)
    }

    /// Numbers of many digits, and whole numbers that are written as reals.
    @inline(never)
    private static func slow(_ bytes: Span<UInt8>, at place: Int) -> (value: Int32, end: Int)? {
        let end = bytes.tokenEnd(from: place)
        guard let decimal = DecimalText(bytes.extracting(place..<end)), case .fits(let value) = WholeNumber(decimal)
        else { return nil }
        return (value, end)
    }

    package static func reading(_ token: Span<UInt8>, point: UInt8) -> TokenReading<Int32> {
        guard let decimal = DecimalText(token, point: point) else {
            return .unreadable(NonFiniteSpelling(token) == nil ? .malformed : .nonFinite)
        }
        switch WholeNumber(decimal) {
        case .fits(let value): return point == Byte.comma ? .unusual(value, .decimalComma) : .plain(value)
        case .tooLarge: return .unusual(decimal.isNegative ? .min : .max, .outOfRange)
        case .fraction: return .unreadable(.malformed)
        }
    }
}
