import CTextScan

/// Reads a number that is alone in its text, as in an attribute or a `<float>`, with XML white space around it or not.
///
/// Here a comma can only be the decimal point: `0,010000` is 0.01, and an issue.
package enum NumberText {
    package static func double(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Double> { read(bytes) }
    package static func double(_ text: String) -> NumberReading<Double> { read(text) }
    package static func integer(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Int32> { read(bytes) }
    package static func integer(_ text: String) -> NumberReading<Int32> { read(text) }

    /// White space that ``readFew(_:into:)`` needs behind a text, in bytes.
    package static var padding: Int { PaddedText.room }

    /// Reads a short list of plain numbers, such as a matrix.
    ///
    /// - Parameters:
    ///   - text: With ``padding`` bytes of white space at its end.
    ///   - room: Receives the numbers in place of its own; its memory is used again.
    /// - Returns: Whether all are plain finite numbers; else a ``NumberDecoder`` has to read them.
    package static func readFew(_ text: UnsafeRawBufferPointer, into room: inout [Double]) -> Bool {
        room.removeAll(keepingCapacity: true)
        let text = text.assumingMemoryBound(to: UInt8.self).span
        let end = PaddedText.end(in: text)
        guard end > 0, end > text.count - padding else { return false }
        return NumberScanner.scan(text, from: 0, to: end, into: &room) == end
    }

    private static func read<Number: DecodableNumber>(_ text: String) -> NumberReading<Number> {
        let text = Array(text.utf8)
        return read(text.span)
    }

    private static func read<Number: DecodableNumber>(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Number> {
        read(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    private static func read<Number: DecodableNumber>(_ text: Span<UInt8>) -> NumberReading<Number> {
        let start = text.firstIndex { !Byte.isSpace($0) }
        var end = text.count
        while end > start, Byte.isSpace(text[end - 1]) { end -= 1 }
        let token = text.extracting(start..<end)
        var reading = Number.reading(token, point: Byte.point)
        if case .unreadable(.malformed) = reading { reading = Number.reading(token, point: Byte.comma) }
        switch reading {
        case .plain(let value):
            return .plain(value)
        case .unusual(let value, let kind):
            return .unusual(value, NumberIssue(kind, offset: start, index: 0, token: token))
        case .unreadable(let kind):
            return .unreadable(NumberIssue(kind, offset: start, index: 0, token: token))
        }
    }
}

/// What a text that should be one number says.
package enum NumberReading<Number: DecodableNumber>: Sendable {
    case plain(Number)
    /// A number, but not as it should be: not finite, too large, or with a decimal comma.
    case unusual(Number, NumberIssue)
    /// No number, or among integers no finite one.
    case unreadable(NumberIssue)

    /// The number, `nil` when the text is none.
    package var value: Number? {
        switch self {
        case .plain(let value), .unusual(let value, _): value
        case .unreadable: nil
        }
    }
    package var issue: NumberIssue? {
        switch self {
        case .plain: nil
        case .unusual(_, let issue), .unreadable(let issue): issue
        }
    }
}

extension NumberReading: Equatable where Number: Equatable {}

/// What was wrong with one token: the value it gave is in its place among the others all the same.
package struct NumberIssue: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No number at all; read as NaN, as 0 among integers.
        case malformed
        /// A spelling of NaN or infinity, of XML Schema, of C or of Microsoft's runtime; read as that, as 0 among integers.
        case nonFinite
        /// A comma that can only be the decimal point; read as one.
        case decimalComma
        /// Commas that can only be separators; the token gave one value for each part.
        case commaSeparator
        /// Too large for the type; read as infinity, as the nearest limit among integers.
        case outOfRange
    }

    /// The most Unicode scalars of a token that are kept.
    package static let textLimit = 40

    package let kind: Kind
    /// First byte of the token, from 0 at the beginning of the whole text.
    package let offset: Int
    /// Place of the token's (first) value among all values of the text, from 0.
    package let index: Int
    /// The token, cut to ``textLimit`` Unicode scalars; broken UTF-8 is repaired.
    package let text: String

    init(_ kind: Kind, offset: Int, index: Int, token: Span<UInt8>) {
        self.kind = kind
        self.offset = offset
        self.index = index
        // A scalar takes at most four bytes.
        let start = token.extracting(first: 4 * Self.textLimit).withUnsafeBufferPointer {
            String(decoding: $0, as: UTF8.self)
        }
        text = String(String.UnicodeScalarView(start.unicodeScalars.prefix(Self.textLimit)))
    }
}

/// Numbers at the beginning of a text of which only how many they are is asked.
package struct NumberRun {
    /// With the white space behind the last one.
    package private(set) var bytes = 0
    package private(set) var count = 0

    private static let size = 64

    /// Takes plain numbers by vector instructions, as long as white space stands behind each; none where the machine has
    /// no such instructions.
    ///
    /// - Parameter text: Begins with white space or a number.
    package init(in text: Span<UInt8>) {
        guard ScanMethod.best == .vectors else { return }
        var end = text.count
        while end > 0, !Byte.isSpace(text[end - 1]) {
            end -= 1
            // What is so long is no plain number.
            guard text.count - end < Self.size else { return }
        }
        take(text, to: end)
        // What does not fill a block is looked at with white space behind it.
        guard (1...Self.size).contains(end - bytes) else { return }
        var block = InlineArray<64, UInt8>(repeating: Byte.space)
        for place in bytes..<end { block[place - bytes] = text[place] }
        var rest = NumberRun()
        rest.take(block.span, to: Self.size)
        guard rest.bytes == Self.size else { return }
        bytes = end
        count += rest.count
    }

    private init() {}

    private mutating func take(_ text: Span<UInt8>, to end: Int) {
        text.withText { start in
            var reached: UnsafePointer<CChar>? = start
            count += dae_count_reals(&reached, start + end)
            bytes = reached.map { $0 - start } ?? 0
        }
    }
}

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
