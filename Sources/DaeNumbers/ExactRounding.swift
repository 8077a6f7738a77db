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

/// Rounds with integers of any length what 128 bits cannot settle: middles written out, and numbers right beside them.
enum ExactRounding {
    /// No middle between two `Double`s has more digits than 767; what follows can only tell "more" from "the same".
    private static let mostDigits = 800

    /// - Parameters:
    ///   - token: What the decimal was read from.
    ///   - below: The pattern right below the number, or equal to it; not infinity.
    /// - Returns: `below` or the pattern after it; the even one when `decimal` lies in the middle.
    static func round(_ decimal: DecimalText, writtenIn token: Span<UInt8>, below: UInt64) -> UInt64 {
        let hidden: UInt64 = 1 << UInt64(Double.precision - 1)
        let field = Int(below >> UInt64(Double.precision - 1))
        let significand = field == 0 ? below : below & (hidden - 1) | hidden
        // The middle is (2 · significand + 1) · 2^middleExponent.
        var middle = BigUnsigned(2 * significand + 1)
        let middleExponent = Double.leastExponent + max(field - 1, 0) - 1

        var (number, exponent, hasMore) = digits(of: decimal, in: token)
        if exponent >= 0 {
            number.multiply(byFiveToThe: exponent)
        } else {
            middle.multiply(byFiveToThe: -exponent)
        }
        if exponent >= middleExponent {
            number.shiftLeft(by: exponent - middleExponent)
        } else {
            middle.shiftLeft(by: middleExponent - exponent)
        }

        if number < middle { return below }
        let isTie = number == middle && !hasMore
        return isTie && below & 1 == 0 ? below : below + 1
    }

    /// The first ``mostDigits`` digits as an integer, the power of ten that belongs to it, and whether more follows.
    private static func digits(
        of decimal: DecimalText, in token: Span<UInt8>
    ) -> (number: BigUnsigned, exponent: Int, hasMore: Bool) {
        var number = BigUnsigned(0)
        var count = 0
        var block: UInt64 = 0
        var scale: UInt64 = 1
        var hasMore = false
        for place in decimal.digits where Byte.isDigit(token[place]) {
            let digit = UInt64(token[place] &- Byte.zero)
            guard count < mostDigits else {
                hasMore = hasMore || digit != 0
                continue
            }
            block = block * 10 + digit
            scale *= 10
            count += 1
            if count % DecimalText.significandDigits == 0 {
                number.multiply(by: scale, adding: block)
                (block, scale) = (0, 1)
            }
        }
        number.multiply(by: scale, adding: block)
        // `decimal.exponent` belongs to the digits of its significand.
        let behind = max(count - DecimalText.significandDigits, 0)
        return (number, decimal.exponent - behind, hasMore)
    }
}

/// A natural number of any length: just what exact rounding and the table of powers need.
struct BigUnsigned {
    /// Lowest word first; the last is never 0.
    private var words: [UInt64]

    init(_ value: UInt64) { words = value == 0 ? [] : [value] }

    /// Two to the `exponent`.
    init(twoToThe exponent: Int) {
        words = Array(repeating: 0, count: exponent / 64)
        words.append(1 << UInt64(exponent % 64))
    }

    var bitWidth: Int { words.count * 64 - (words.last?.leadingZeroBitCount ?? 0) }

    /// The 128 bits from the highest set bit on, cut off below, filled with zeros where there are fewer.
    var leadingBits: (high: UInt64, low: UInt64) {
        let top = words.suffix(3)
        func word(_ place: Int) -> UInt64 { place < top.count ? top[top.endIndex - 1 - place] : 0 }
        let shift = word(0).leadingZeroBitCount
        return (word(0) << shift | word(1) >> (64 - shift), word(1) << shift | word(2) >> (64 - shift))
    }

    mutating func multiply(by factor: UInt64, adding addend: UInt64 = 0) {
        var carry = addend
        for place in words.indices {
            let product = words[place].multipliedFullWidth(by: factor)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[place] = low
            carry = product.high &+ (overflow ? 1 : 0)
        }
        if carry != 0 { words.append(carry) }
    }

    mutating func multiply(byFiveToThe exponent: Int) {
        let mostFives = 27
        let step: UInt64 = 7_450_580_596_923_828_125
        for _ in 0..<exponent / mostFives { multiply(by: step) }
        for _ in 0..<exponent % mostFives { multiply(by: 5) }
    }

    /// Divides, dropping the remainder.
    mutating func divide(by divisor: UInt64) {
        var remainder: UInt64 = 0
        for place in words.indices.reversed() {
            (words[place], remainder) = divisor.dividingFullWidth((remainder, words[place]))
        }
        while words.last == 0 { words.removeLast() }
    }

    mutating func shiftLeft(by bits: Int) {
        guard !words.isEmpty else { return }
        if bits % 64 != 0 { multiply(by: 1 << UInt64(bits % 64)) }
        words.insert(contentsOf: repeatElement(0, count: bits / 64), at: 0)
    }
}

extension BigUnsigned: Comparable {
    static func < (left: BigUnsigned, right: BigUnsigned) -> Bool {
        guard left.words.count == right.words.count else { return left.words.count < right.words.count }
        for (one, other) in zip(left.words.reversed(), right.words.reversed()) where one != other {
            return one < other
        }
        return false
    }
}
