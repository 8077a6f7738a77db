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
    init(of text: Span<UInt8>, expected: Int?) {
        var tokens = 0
        var parts = 0
        var canAllBePoints = true
        var place = text.firstIndex { !Byte.isSpace($0) }
        while place < text.count {
            let end = text.tokenEnd(from: place)
            let token = text.extracting(place..<end)
            tokens += 1
            if token.hasNumericComma {
                parts += token.commaParts
                canAllBePoints = canAllBePoints && token.hasDecimalComma
            } else {
                parts += 1
            }
            place = text.firstIndex(from: end) { !Byte.isSpace($0) }
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

extension Span where Element == UInt8 {
    /// Whether the token has a comma that could part or point numbers (not the one of `1,#INF`).
    var hasNumericComma: Bool {
        guard firstIndex(where: { $0 == Byte.comma }) < count else { return false }
        return firstIndex(where: { $0 == UInt8(ascii: "#") }) == count || NonFiniteSpelling(self) == nil
    }

    /// How many parts the commas leave; two commas side by side leave none between them.
    var commaParts: Int {
        var parts = 0
        var previous = Byte.comma
        for place in indices {
            if previous == Byte.comma, self[place] != Byte.comma { parts += 1 }
            previous = self[place]
        }
        return parts
    }

    /// Whether the token has one comma, with a digit on either side.
    var hasDecimalComma: Bool {
        let comma = firstIndex { $0 == Byte.comma }
        return comma > 0 && comma + 1 < count && Byte.isDigit(self[comma - 1]) && Byte.isDigit(self[comma + 1])
            && firstIndex(from: comma + 1) { $0 == Byte.comma } == count
    }
}
