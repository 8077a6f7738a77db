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
    /// The token from its first digit that is not 0 up to the exponent, with a point in it or not.
    let digits: UnsafeRawBufferPointer

    /// Reads a whole token: the syntax of `xs:double` and C, without the names, hexadecimals and white space.
    ///
    /// - Parameter point: The byte that is the decimal point.
    init?(_ token: UnsafeRawBufferPointer, point: UInt8 = Byte.point) {
        var place = 0
        isNegative = token.first == Byte.minus
        if let first = token.first, Byte.isSign(first) { place += 1 }

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
        digits = UnsafeRawBufferPointer(rebasing: token[(firstDigit ?? place)..<place])
        guard place < token.count else { return }

        guard Byte.isExponent(token[place]) else { return nil }
        guard let written = Self.exponent(token, from: place + 1) else { return nil }
        exponent += written
    }

    /// The digits up to the end, with a sign or not; held at ``exponentLimit``.
    private static func exponent(_ token: UnsafeRawBufferPointer, from start: Int) -> Int? {
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
    init?(_ token: UnsafeRawBufferPointer) {
        let isSigned = token.first.map(Byte.isSign) ?? false
        let isNegative = token.first == Byte.minus
        let name = UnsafeRawBufferPointer(rebasing: token.dropFirst(isSigned ? 1 : 0))

        if name.isSpelled("nan") || name.isNaNWithPayload {
            self = .notANumber
        } else if name.isSpelled("inf") || name.isSpelled("infinity") || name.isSpelled("∞") {
            self = .infinity(isNegative: isNegative)
        } else if name.beginsSpelled("1.#") || name.beginsSpelled("1,#") {
            let rest = UnsafeRawBufferPointer(rebasing: name.dropFirst(3))
            if Self.isMicrosoft(rest, "qnan", "snan", "nan", "ind", "r") {
                self = .notANumber
            } else if Self.isMicrosoft(rest, "inf", "j") {
                self = .infinity(isNegative: isNegative)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// Whether one of the names stands at the beginning, followed by no more than digits and an exponent.
    private static func isMicrosoft(_ text: UnsafeRawBufferPointer, _ names: StaticString...) -> Bool {
        for name in names where text.beginsSpelled(name) {
            var rest = text.dropFirst(name.utf8CodeUnitCount).drop(while: Byte.isDigit)
            if let letter = rest.first, Byte.isExponent(letter) {
                rest = rest.dropFirst()
                if let sign = rest.first, Byte.isSign(sign) { rest = rest.dropFirst() }
                guard let digit = rest.first, Byte.isDigit(digit) else { return false }
                rest = rest.drop(while: Byte.isDigit)
            }
            return rest.isEmpty
        }
        return false
    }
}

extension UnsafeRawBufferPointer {
    /// `nan(…)` with letters, digits and underscores inside.
    fileprivate var isNaNWithPayload: Bool {
        guard beginsSpelled("nan("), last == UInt8(ascii: ")") else { return false }
        return dropFirst(4).dropLast().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    fileprivate func isSpelled(_ name: StaticString) -> Bool {
        count == name.utf8CodeUnitCount && beginsSpelled(name)
    }

    /// `name` is in lower case.
    fileprivate func beginsSpelled(_ name: StaticString) -> Bool {
        guard count >= name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { letters in
            zip(self, letters).allSatisfy { byte, letter in
                byte == letter || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
            }
        }
    }
}
