/// A decimal number as written: its value is ``significand`` · 10^``exponent``, plus the digits that were left out.
struct DecimalText {
    /// Digits that always fit ``significand``.
    static let significandDigits = 19
    /// Far from where exponents could wrap, far beyond what the longest text could make up for.
    private static let exponentLimit = 1 << 56

    let isNegative: Bool
    /// The first ``significandDigits`` digits from the first one that is not 0; 0 for a zero.
    private(set) var significand: UInt64 = 0
    private(set) var exponent = 0
    /// Whether digits other than 0 follow those of ``significand``.
    private(set) var isCut = false
    /// Where in the token its digits stand, from the first that is not 0 up to the exponent, with a point in it or not.
    let digits: Range<Int>

    /// Reads a whole token: the syntax of `xs:double` and C, without the names, hexadecimals and white space.
    ///
    /// - Parameter point: The byte that is the decimal point.
    init?(_ token: Span<UInt8>, point: UInt8 = Byte.point) {
        isNegative = token.count > 0 && token[0] == Byte.minus
        var place = token.count > 0 && Byte.isSign(token[0]) ? 1 : 0

        var kept = 0
        var hasDigits = false
        var hasPoint = false
        var firstDigit: Int?
        while place < token.count {
            let byte = token[place]
            if Byte.isDigit(byte) {
                hasDigits = true
                let digit = UInt64(byte &- Byte.zero)
                if digit != 0, firstDigit == nil { firstDigit = place }
                if kept == Self.significandDigits {
                    isCut = isCut || digit != 0
                    exponent += hasPoint ? 0 : 1
                } else {
                    significand = significand &* 10 &+ digit
                    kept += firstDigit == nil ? 0 : 1
                    exponent -= hasPoint ? 1 : 0
                }
            } else if byte == point, !hasPoint {
                hasPoint = true
            } else {
                break
            }
            place += 1
        }
        guard hasDigits else { return nil }
        digits = (firstDigit ?? place)..<place
        guard place < token.count else { return }

        guard Byte.isExponent(token[place]) else { return nil }
        guard let written = Self.exponent(token, from: place + 1) else { return nil }
        exponent += written
    }

    /// The digits up to the end, with a sign or not; held at ``exponentLimit``.
    private static func exponent(_ token: Span<UInt8>, from start: Int) -> Int? {
        var place = start
        let isNegative = place < token.count && token[place] == Byte.minus
        if place < token.count, Byte.isSign(token[place]) { place += 1 }
        guard place < token.count else { return nil }
        var value = 0
        while place < token.count {
            guard Byte.isDigit(token[place]) else { return nil }
            value = min(value * 10 + Int(token[place] &- Byte.zero), exponentLimit)
            place += 1
        }
        return isNegative ? -value : value
    }
}

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

/// The ways in which programs write what is no finite number.
///
/// XML Schema: `NaN`, `INF`, `-INF`. C: `nan`, `nan(ind)`, `inf`, `infinity`. Microsoft's runtime before 2015: `1.#QNAN`,
/// `-1.#IND`, with zeros or an exponent behind, and `1.#J`, `1.#R` where its rounding ate the name. .NET: `∞`.
enum NonFiniteSpelling {
    case notANumber
    case infinity(isNegative: Bool)

    /// Any case of letters, any sign; `nil` when the token is something else.
    init?(_ token: Span<UInt8>) {
        let isNegative = token.count > 0 && token[0] == Byte.minus
        let start = token.count > 0 && Byte.isSign(token[0]) ? 1 : 0
        func isSpelled(_ name: StaticString) -> Bool {
            token.count - start == name.utf8CodeUnitCount && token.hasText(name, at: start)
        }

        if isSpelled("nan") || Self.isNaNWithPayload(token, start) {
            self = .notANumber
        } else if isSpelled("inf") || isSpelled("infinity") || isSpelled("∞") {
            self = .infinity(isNegative: isNegative)
        } else if token.hasText("1.#", at: start) || token.hasText("1,#", at: start) {
            if Self.isMicrosoft(token, start + 3, "qnan", "snan", "nan", "ind", "r") {
                self = .notANumber
            } else if Self.isMicrosoft(token, start + 3, "inf", "j") {
                self = .infinity(isNegative: isNegative)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// Whether one of the names stands at `start`, followed by no more than digits and an exponent.
    private static func isMicrosoft(_ token: Span<UInt8>, _ start: Int, _ names: StaticString...) -> Bool {
        for name in names where token.hasText(name, at: start) {
            var place = token.firstIndex(from: start + name.utf8CodeUnitCount) { !Byte.isDigit($0) }
            if place < token.count, Byte.isExponent(token[place]) {
                place += 1
                if place < token.count, Byte.isSign(token[place]) { place += 1 }
                guard place < token.count, Byte.isDigit(token[place]) else { return false }
                place = token.firstIndex(from: place) { !Byte.isDigit($0) }
            }
            return place == token.count
        }
        return false
    }

    /// `nan(…)` with letters, digits and underscores inside.
    private static func isNaNWithPayload(_ token: Span<UInt8>, _ start: Int) -> Bool {
        guard token.hasText("nan(", at: start) else { return false }
        let end = token.firstIndex(from: start + 4) { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                false
            default: true
            }
        }
        return end == token.count - 1 && token[end] == UInt8(ascii: ")")
    }
}
