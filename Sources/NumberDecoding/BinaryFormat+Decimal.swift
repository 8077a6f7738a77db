/// Clinger's fast path, and the way on to the slower ones.
enum PowersOfTen {
    /// Those that a `Double` holds exactly.
    static let exact: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
    static let greatestExact = 22
    /// Up to here every integer is a `Double`.
    static let greatestSignificand: UInt64 = 1 << 53
}

extension BinaryFormat {
    /// The number nearest to a decimal, the even one of two; infinity where all are too small.
    init(nearest decimal: DecimalText) {
        self.init(pattern: Self.pattern(nearest: decimal), isNegative: decimal.isNegative)
    }

    private static func pattern(nearest decimal: DecimalText) -> UInt64 {
        guard decimal.significand != 0 else { return 0 }
        let outcome = EiselLemire.round(decimal.significand, exponent: decimal.exponent, to: Self.self)
        let below: UInt64
        switch outcome {
        case .settled(let pattern):
            guard decimal.isCut, pattern != infinityPattern else { return pattern }
            // The number lies between its first nineteen digits and the same plus one: too narrow for two middles.
            let next = EiselLemire.round(decimal.significand + 1, exponent: decimal.exponent, to: Self.self)
            if case .settled(pattern) = next { return pattern }
            below = pattern
        case .undecided(let pattern):
            below = pattern
        }
        return ExactRounding.round(decimal, below: below, to: Self.self)
    }

    /// significand · 10^exponent by one exact division or product, after William D. Clinger, "How to Read Floating
    /// Point Numbers Accurately" (1990); `nil` where one rounding does not suffice.
    ///
    /// - Parameter powers: ``PowersOfTen/exact``.
    @inline(__always)
    init?(
        _ significand: UInt64, exponent: Int, isNegative: Bool, powers: UnsafeBufferPointer<Double>
    ) {
        guard significand <= PowersOfTen.greatestSignificand else { return nil }
        let whole = Double(Int64(truncatingIfNeeded: significand))
        if exponent <= 0 {
            guard exponent >= -PowersOfTen.greatestExact else { return nil }
            self.init(settling: whole / powers[-exponent], isNegative: isNegative)
        } else {
            guard exponent <= PowersOfTen.greatestExact else { return nil }
            self.init(settling: whole * powers[exponent], isNegative: isNegative)
        }
    }
}
