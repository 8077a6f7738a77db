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
