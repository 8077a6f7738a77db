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
