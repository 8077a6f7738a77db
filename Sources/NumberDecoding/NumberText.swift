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

    /// Reads a short list, such as a matrix, where nothing about it is odd.
    ///
    /// - Parameters:
    ///   - text: With ``padding`` bytes of white space at its end.
    ///   - room: Receives the numbers in place of its own; its memory is used again.
    /// - Returns: Whether all are plain finite numbers; else a ``NumberDecoder`` has to read them.
    package static func readFew(_ text: UnsafeRawBufferPointer, into room: inout [Double]) -> Bool {
        room.removeAll(keepingCapacity: true)
        guard let padded = PaddedText(longestIn: text), padded.count > text.count - padding else { return false }
        return RealScanner.scan(padded, from: 0, into: &room) == padded.count
    }

    private static func read<Number: DecodableNumber>(_ text: String) -> NumberReading<Number> {
        var text = text
        return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }

    private static func read<Number: DecodableNumber>(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Number> {
        let start = bytes.firstIndex { !Byte.isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !Byte.isSpace($0) }.map { $0 + 1 } ?? bytes.endIndex
        let token = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        var reading = Number.reading(token, point: Byte.point)
        if case .unreadable(.malformed) = reading { reading = Number.reading(token, point: Byte.comma) }
        switch reading {
        case .plain(let value):
            return .plain(value)
        case .odd(let value, let kind):
            return .odd(value, NumberIssue(kind, offset: start, index: 0, token: token))
        case .unreadable(let kind):
            return .unreadable(NumberIssue(kind, offset: start, index: 0, token: token))
        }
    }
}

/// What a text that should be one number says.
package enum NumberReading<Number: DecodableNumber>: Sendable {
    case plain(Number)
    /// A number, but not as it should be: not finite, too large, or with a decimal comma.
    case odd(Number, NumberIssue)
    /// No number, or among integers no finite one.
    case unreadable(NumberIssue)

    /// The number, `nil` when the text is none.
    package var value: Number? {
        switch self {
        case .plain(let value), .odd(let value, _): value
        case .unreadable: nil
        }
    }
    package var issue: NumberIssue? {
        switch self {
        case .plain: nil
        case .odd(_, let issue), .unreadable(let issue): issue
        }
    }
}

extension NumberReading: Equatable where Number: Equatable {}

/// A number that can be read from text: `Double` and `Int32`.
package protocol DecodableNumber: Sendable, BitwiseCopyable {
    /// Keeps the place of what cannot be read.
    static var placeholder: Self { get }
    /// Appends plain numbers from `start` on; gives the end, or the place of the first token that is anything else.
    static func scan(_ text: PaddedText, from start: Int, into values: inout [Self]) -> Int
    /// Reads one token, in whatever spelling.
    ///
    /// - Parameter point: The byte that is the decimal point; a comma is told of.
    static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Self>
}

/// What one token says, in whatever spelling. Not for the hot loops, which read plain numbers themselves.
package enum TokenReading<Number> {
    case plain(Number)
    case odd(Number, NumberIssue.Kind)
    case unreadable(NumberIssue.Kind)
}

extension Double: DecodableNumber {
    package static var placeholder: Double { .nan }

    package static func scan(_ text: PaddedText, from start: Int, into values: inout [Double]) -> Int {
        RealScanner.scan(text, from: start, into: &values)
    }

    package static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Double> {
        if let decimal = DecimalText(token, point: point) {
            let value = Double(nearest: decimal)
            if value.isInfinite { return .odd(value, .outOfRange) }
            return point == Byte.comma ? .odd(value, .decimalComma) : .plain(value)
        }
        switch NonFiniteSpelling(token) {
        case .notANumber: return .odd(.nan, .nonFinite)
        case .infinity(let isNegative): return .odd(isNegative ? -.infinity : .infinity, .nonFinite)
        case nil: return .unreadable(.malformed)
        }
    }
}

extension Int32: DecodableNumber {
    package static var placeholder: Int32 { 0 }

    package static func scan(_ text: PaddedText, from start: Int, into values: inout [Int32]) -> Int {
        IntegerScanner.scan(text, from: start, into: &values)
    }

    package static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Int32> {
        guard let decimal = DecimalText(token, point: point) else {
            return .unreadable(NonFiniteSpelling(token) == nil ? .malformed : .nonFinite)
        }
        switch WholeNumber(decimal) {
        case .fits(let value): return point == Byte.comma ? .odd(value, .decimalComma) : .plain(value)
        case .tooLarge: return .odd(decimal.isNegative ? .min : .max, .outOfRange)
        case .fraction: return .unreadable(.malformed)
        }
    }
}

/// What was odd about one token: the value it gave is in its place among the others all the same.
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

    init(_ kind: Kind, offset: Int, index: Int, token: UnsafeRawBufferPointer) {
        self.kind = kind
        self.offset = offset
        self.index = index
        // A scalar takes at most four bytes.
        let start = String(decoding: token.prefix(4 * Self.textLimit), as: UTF8.self)
        text = String(String.UnicodeScalarView(start.unicodeScalars.prefix(Self.textLimit)))
    }
}
