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
            default: false  // bytes
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
