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
