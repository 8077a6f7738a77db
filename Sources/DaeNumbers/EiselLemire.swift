/// Rounds w · 10^q, w of 64 bits, by one product with a 128-bit power of five.
///
/// After Daniel Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51 (8), 2021. The
/// power is always cut off, so the product is a lower bound with a known error; a middle inside that error is left to
/// ``ExactRounding``.
enum EiselLemire {
    enum Outcome {
        case settled(pattern: UInt64)
        /// The number is too near to the middle between this pattern and the next one up.
        case undecided(below: UInt64)
    }

    /// - Parameter significand: Not 0.
    static func round(_ significand: UInt64, exponent: Int) -> Outcome {
        guard exponent >= PowersOfFive.exponents.lowerBound else { return .settled(pattern: 0) }
        guard exponent <= PowersOfFive.exponents.upperBound else { return .settled(pattern: Double.infinityPattern) }
        let power = PowersOfFive[exponent]
        let shift = significand.leadingZeroBitCount
        let factor = significand &<< UInt64(truncatingIfNeeded: shift)

        // 192 bits: `product` and below it `rest`, the highest bit set after at most one step to the left.
        let lower = factor.multipliedFullWidth(by: power.low)
        let upper = factor.multipliedFullWidth(by: power.high)
        var product = UInt128(upper.high) &<< 64 &+ UInt128(upper.low) &+ UInt128(lower.high)
        var rest = lower.low
        var top = 191 + power.exponent + exponent - shift
        if product.leadingZeroBitCount != 0 {
            product = product &<< 1 | UInt128(rest &>> 63)
            rest = rest &<< 1
            top -= 1
        }

        // `top` is the power of two of the highest bit. A subnormal number keeps fewer bits.
        let least = max(top - (Double.precision - 1), Double.leastExponent)
        let kept = top - least + 1
        guard kept >= 0 else { return .settled(pattern: 0) }
        let significant = UInt64(truncatingIfNeeded: product >> UInt128(128 - kept))
        // The hidden bit counts one up in the exponent's field; a carry from rounding goes on into it.
        let field = UInt64(truncatingIfNeeded: least - Double.leastExponent)
        let below = field &<< UInt64(Double.precision - 1) &+ significant
        guard below < Double.infinityPattern else { return .settled(pattern: Double.infinityPattern) }
        let above = below + 1

        let middle = UInt128(1) &<< UInt128(127 - kept)
        let dropped = product & (middle &<< 1 &- 1)
        if PowersOfFive.exactExponents.contains(exponent) {
            let isTie = dropped == middle && rest == 0
            let goesUp = isTie ? significant & 1 == 1 : dropped >= middle
            return .settled(pattern: goesUp ? above : below)
        }
        // The number lies above the product, by less than 4: 2^64 for the cut power, `rest`, and the step to the left.
        if dropped >= middle { return .settled(pattern: above) }
        return middle - dropped <= 4 ? .undecided(below: below) : .settled(pattern: below)
    }
}

/// The powers of five that 64-bit decimals can meet in `Double`, to 128 bits.
///
/// Worked out exactly at first use (some tens of microseconds), so that no table of constants has to be trusted.
enum PowersOfFive {
    /// Below, 2^64 times the power of ten is nearer to 0 than to any `Double`; above, the power itself is too large.
    static let exponents = -342...308
    /// Those whose entry is the power itself: 5^55 is the last below 2^128.
    static let exactExponents = 0...55

    struct Entry {
        /// The leading 128 bits, cut off, never rounded up; the highest bit is set.
        let high, low: UInt64
        /// 5^q = (high · 2^64 + low + d) · 2^exponent, with 0 ≤ d < 1.
        let exponent: Int

        fileprivate init(_ power: BigUnsigned, exponent: Int = 0) {
            (high, low) = power.leadingBits
            self.exponent = exponent + power.bitWidth - 128
        }
    }

    static subscript(exponent: Int) -> Entry { table[exponent - exponents.lowerBound] }

    private static let table: [Entry] = {
        var entries: [Entry] = []
        entries.reserveCapacity(exponents.count)
        // Cutting off at each step gives the same as cutting off once: floor(floor(x / 5) / 5) = floor(x / 25).
        let scale = 1024
        var quotient = BigUnsigned(twoToThe: scale)
        for _ in exponents.lowerBound..<0 {
            quotient.divide(by: 5)
            entries.append(Entry(quotient, exponent: -scale))
        }
        entries.reverse()
        var power = BigUnsigned(1)
        for _ in 0...exponents.upperBound {
            entries.append(Entry(power))
            power.multiply(by: 5)
        }
        return entries
    }()
}
