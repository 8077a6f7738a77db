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
