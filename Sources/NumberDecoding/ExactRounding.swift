/// Rounds with integers of any length what 128 bits cannot settle: middles written out, and numbers right beside them.
enum ExactRounding {
    /// No middle between two `Double`s has more digits than 767; what follows can only tell "more" from "the same".
    private static let mostDigits = 800

    /// - Parameter below: The pattern right below the number, or equal to it; not infinity.
    /// - Returns: `below` or the pattern after it; the even one when `decimal` lies in the middle.
    static func round<Format: BinaryFormat>(
        _ decimal: DecimalText, below: UInt64, to format: Format.Type
    ) -> UInt64 {
        let hidden: UInt64 = 1 << UInt64(Format.precision - 1)
        let field = Int(below >> UInt64(Format.precision - 1))
        let significand = field == 0 ? below : below & (hidden - 1) | hidden
        // The middle is (2 · significand + 1) · 2^middleExponent.
        var middle = BigUnsigned(2 * significand + 1)
        let middleExponent = Format.leastExponent + max(field - 1, 0) - 1

        var (number, exponent, hasMore) = digits(of: decimal)
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
        of decimal: DecimalText
    ) -> (number: BigUnsigned, exponent: Int, hasMore: Bool) {
        var number = BigUnsigned(0)
        var count = 0
        var block: UInt64 = 0
        var scale: UInt64 = 1
        var hasMore = false
        for byte in decimal.digits where Byte.isDigit(byte) {
            let digit = UInt64(byte &- Byte.zero)
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
