/// What the commas of a list mean. One comma alone cannot tell: `1,5` is one number or two.
enum CommaReading {
    case decimalPoint
    case separator
    /// Neither fits what was announced, or nothing was.
    case unknown

    /// Decides for a whole list.
    ///
    /// - Parameters:
    ///   - text: From the first token with a comma to the end.
    ///   - expected: Values that `text` should give; `nil` when nobody knows.
    init(of text: UnsafeRawBufferPointer, expected: Int?) {
        var tokens = 0
        var parts = 0
        var canAllBePoints = true
        var place = 0
        while place < text.count {
            guard !Byte.isSpace(text[place]) else {
                place += 1
                continue
            }
            let start = place
            var hasComma = false
            while place < text.count, !Byte.isSpace(text[place]) {
                hasComma = hasComma || text[place] == Byte.comma
                place += 1
            }
            tokens += 1
            let token = UnsafeRawBufferPointer(rebasing: text[start..<place])
            guard hasComma, token.hasNumericComma else {
                parts += 1
                continue
            }
            parts += token.commaParts
            canAllBePoints = canAllBePoints && token.hasDecimalComma
        }
        if tokens == expected, canAllBePoints {
            self = .decimalPoint
        } else if parts == expected {
            self = .separator
        } else if tokens == expected {
            self = .decimalPoint
        } else {
            self = .unknown
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the token has a comma that could part or point numbers (not the one of `1,#INF`).
    var hasNumericComma: Bool {
        contains(Byte.comma) && !(contains(UInt8(ascii: "#")) && NonFiniteSpelling(self) != nil)
    }

    /// How many parts the commas leave; two commas side by side leave none between them.
    fileprivate var commaParts: Int {
        var parts = 0
        var previous = Byte.comma
        for byte in self {
            if previous == Byte.comma, byte != Byte.comma { parts += 1 }
            previous = byte
        }
        return parts
    }

    /// Whether the token has one comma, with a digit on either side.
    var hasDecimalComma: Bool {
        guard let comma = firstIndex(of: Byte.comma), comma == lastIndex(of: Byte.comma) else { return false }
        return comma > 0 && comma + 1 < count && Byte.isDigit(self[comma - 1]) && Byte.isDigit(self[comma + 1])
    }
}
