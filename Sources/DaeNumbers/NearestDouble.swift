/// Powers of ten by which one division or product rounds exactly.
enum PowersOfTen {
    /// Those that a `Double` holds exactly.
    static let exact: InlineArray<23, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
    static let greatestExact = 22
    /// Up to here every integer is a `Double`.
    static let greatestSignificand: UInt64 = 1 << 53
}

/// Rounding decimals to the nearest `Double`, the even one of two. Patterns are bits without the sign.
extension Double {
    /// Bits of a normal number's significand, the hidden one among them.
    static var precision: Int { 53 }
    /// Power of two of the lowest bit of a subnormal number.
    static var leastExponent: Int { -1074 }
    static var infinityPattern: UInt64 { 0x7FF0_0000_0000_0000 }

    /// The number with this pattern and sign.
    @inline(__always)
    init(pattern: UInt64, isNegative: Bool) {
        self.init(bitPattern: pattern | (isNegative ? 1 << 63 : 0))
    }

    /// Infinity where all are too small.
    ///
    /// - Parameter token: What the decimal was read from.
    init(nearest decimal: DecimalText, writtenIn token: Span<UInt8>) {
        self.init(pattern: Self.pattern(nearest: decimal, token), isNegative: decimal.isNegative)
    }

    private static func pattern(nearest decimal: DecimalText, _ token: Span<UInt8>) -> UInt64 {
        guard decimal.significand != 0 else { return 0 }
        let below: UInt64
        switch EiselLemire.round(decimal.significand, exponent: decimal.exponent) {
        case .settled(let pattern):
            guard decimal.isCut, pattern != infinityPattern else { return pattern }
            // The number lies between its first nineteen digits and the same plus one: too narrow for two middles.
            let next = EiselLemire.round(decimal.significand + 1, exponent: decimal.exponent)
            if case .settled(pattern) = next { return pattern }
            below = pattern
        case .undecided(let pattern):
            below = pattern
        }
        return ExactRounding.round(decimal, writtenIn: token, below: below)
    }

    /// significand · 10^exponent by one exact division or product, after William D. Clinger, "How to Read Floating
    /// Point Numbers Accurately" (1990); `nil` where one rounding does not suffice.
    @inline(__always)
    init?(_ significand: UInt64, exponent: Int, isNegative: Bool) {
        guard significand <= PowersOfTen.greatestSignificand else { return nil }
        let whole = Double(Int64(truncatingIfNeeded: significand))
        let magnitude: Double
        if exponent <= 0 {
            guard exponent >= -PowersOfTen.greatestExact else { return nil }
            magnitude = whole / PowersOfTen.exact[-exponent]
        } else {
            guard exponent <= PowersOfTen.greatestExact else { return nil }
            magnitude = whole * PowersOfTen.exact[exponent]
        }
        self.init(pattern: magnitude.bitPattern, isNegative: isNegative)
    }
}
