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
