/// A decimal as an `Int32`. Exporters that keep indices as reals write `3.0` and `1e+06`.
enum WholeNumber: Equatable {
    case fits(Int32)
    case tooLarge
    case fraction

    init(_ decimal: DecimalText) {
        var magnitude = decimal.significand
        var exponent = decimal.exponent
        while exponent < 0, magnitude != 0, magnitude.isMultiple(of: 10) {
            magnitude /= 10
            exponent += 1
        }
        // Digits that were left out follow nineteen others: they are a fraction unless the number is huge.
        if magnitude == 0 {
            self = .fits(0)
        } else if exponent < 0 || decimal.isCut && exponent == 0 {
            self = .fraction
        } else {
            let limit = UInt64(Int32.max) + (decimal.isNegative ? 1 : 0)
            while exponent > 0, magnitude <= limit {
                magnitude *= 10
                exponent -= 1
            }
            guard magnitude <= limit else {
                self = .tooLarge
                return
            }
            let value = Int64(magnitude)
            self = .fits(Int32(decimal.isNegative ? -value : value))
        }
    }
}
