/// Reads a number that is alone in its text, as in an attribute or a `<float>`, with XML white space around it or not.
///
/// Here a comma can only be the decimal point: `0,010000` is 0.01, and an issue.
public enum NumberText {
    public static func double(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Double> { read(bytes) }
    public static func double(_ text: String) -> NumberReading<Double> { read(text) }
    public static func integer(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Int32> { read(bytes) }
    public static func integer(_ text: String) -> NumberReading<Int32> { read(text) }

    private static func read<Number: ReadableNumber>(_ text: String) -> NumberReading<Number> {
        var text = text
        return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }

    private static func read<Number: ReadableNumber>(_ bytes: UnsafeRawBufferPointer) -> NumberReading<Number> {
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
public enum NumberReading<Number: DecodableNumber>: Sendable {
    case plain(Number)
    /// A number, but not as it should be: not finite, too large, or with a decimal comma.
    case odd(Number, NumberIssue)
    /// No number, or among integers no finite one.
    case unreadable(NumberIssue)

    /// The number, `nil` when the text is none.
    public var value: Number? {
        switch self {
        case .plain(let value), .odd(let value, _): value
        case .unreadable: nil
        }
    }
    public var issue: NumberIssue? {
        switch self {
        case .plain: nil
        case .odd(_, let issue), .unreadable(let issue): issue
        }
    }
}

extension NumberReading: Equatable where Number: Equatable {}
