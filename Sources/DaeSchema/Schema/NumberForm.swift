import DaeNumbers

/// How numbers, and the few other texts made of letters and digits, are written in a schema's types.
enum NumberForm {
    /// How far from 0 a whole number may be on one side.
    enum Reach {
        /// Not at all.
        case none
        /// As far as this number, in digits.
        case to(StaticString)
        case any
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// A decimal number, with or without an exponent, or `INF`, `-INF`, `NaN`.
    static func isReal(_ text: Span<UInt8>) -> Bool {
        let count = text.count
        var at = 0
        if count > 0, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") { at = 1 }
        let start = at
        while at < count, isDigit(text[at]) { at += 1 }
        var digits = at - start
        if at < count, text[at] == UInt8(ascii: ".") {
            at += 1
            let point = at
            while at < count, isDigit(text[at]) { at += 1 }
            digits += at - point
        }
        guard digits > 0 else { return equals(text, "INF") || equals(text, "-INF") || equals(text, "NaN") }
        guard at < count else { return true }
        guard text[at] | 0x20 == UInt8(ascii: "e") else { return false }
        at += 1
        if at < count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") { at += 1 }
        let exponent = at
        while at < count, isDigit(text[at]) { at += 1 }
        return at == count && at > exponent
    }

    /// Digits alone, at most `limit`.
    static func isUnsigned(_ text: Span<UInt8>, to limit: StaticString) -> Bool {
        guard text.count > 0, isDigit(text[0]) else { return false }
        return isInteger(text, negative: .none, positive: .to(limit))
    }

    /// A whole number, any number of zeros before it.
    static func isInteger(_ text: Span<UInt8>, negative: Reach, positive: Reach) -> Bool {
        var at = 0
        var reach = positive
        if text.count > 0 {
            if text[0] == UInt8(ascii: "-") { (at, reach) = (1, negative) }
            if text[0] == UInt8(ascii: "+") { at = 1 }
        }
        guard at < text.count else { return false }
        while at < text.count, text[at] == UInt8(ascii: "0") { at += 1 }
        for index in at..<text.count where !isDigit(text[index]) { return false }
        switch reach {
        case .any: return true
        case .none: return false
        case .to(let limit):
            return limit.withUTF8Buffer { limit in
                // "0" allows no digit but zeros, which are passed already.
                let most = limit.elementsEqual("0".utf8) ? 0 : limit.count
                guard text.count - at == most else { return text.count - at < most }
                for index in 0..<most where text[at + index] != limit[index] {
                    return text[at + index] < limit[index]
                }
                return true
            }
        }
    }

    /// Zeros and nothing else but a sign.
    static func isZero(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[index]) { return false }
        return true
    }

    static func isBoolean(_ text: Span<UInt8>) -> Bool {
        equals(text, "true") || equals(text, "false") || equals(text, "1") || equals(text, "0")
    }

    /// An even number of hexadecimal digits, or nothing.
    static func isHexadecimal(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where !isDigit(text[index]) && (text[index] | 0x20) &- UInt8(ascii: "a") > 5 {
            return false
        }
        return text.count.isMultiple(of: 2)
    }

    /// Its value, near enough to hold it against a limit; `nil` for no number.
    static func value(_ text: Span<UInt8>) -> Double? {
        if equals(text, "INF") { return .infinity }
        if equals(text, "-INF") { return -.infinity }
        if equals(text, "NaN") { return .nan }
        return Double(String(text))
    }

    static func equals(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            guard text.count == word.count else { return false }
            for index in 0..<word.count where text[index] != word[index] { return false }
            return true
        }
    }
}

extension String {
    init(_ text: Span<UInt8>) {
        self = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

// A table leads from byte to byte, whatever a number looks like: of lists of a few numbers each, which matrices and
// colours are, a closer look costs more than the numbers.

/// A list of `xs:double` that arrives in pieces, as far as nothing is wrong with it.
struct NumberListScan: BitwiseCopyable {
    /// How far the item at hand has come.
    private enum Step: UInt8, CaseIterable {
        /// It is none, or one of the words for what is not finite.
        case invalid
        /// White space has just ended it; else ``space``.
        case ended
        case space
        case sign, digits, point, fraction, exponent, exponentSign, exponentDigits

        /// Whether what came so far is a number.
        var isNumber: Bool {
            switch self {
            case .digits, .fraction, .exponentDigits: true
            case .invalid, .ended, .space, .sign, .point, .exponent, .exponentSign: false
            }
        }

        func next(_ byte: UInt8) -> Step {
            switch byte {
            case 0x20, 0x0A, 0x09, 0x0D: afterSpace
            case UInt8(ascii: "0")...UInt8(ascii: "9"): afterDigit
            case UInt8(ascii: "+"), UInt8(ascii: "-"): afterSign
            case UInt8(ascii: "."): afterPoint
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isNumber && self != .exponentDigits ? .exponent : .invalid
            default: .invalid
            }
        }

        private var afterSpace: Step {
            switch self {
            case .ended, .space: .space
            case .digits, .fraction, .exponentDigits: .ended
            case .invalid, .sign, .point, .exponent, .exponentSign: .invalid
            }
        }

        private var afterDigit: Step {
            switch self {
            case .ended, .space, .sign, .digits: .digits
            case .point, .fraction: .fraction
            case .exponent, .exponentSign, .exponentDigits: .exponentDigits
            case .invalid: .invalid
            }
        }

        private var afterSign: Step {
            switch self {
            case .ended, .space: .sign
            case .exponent: .exponentSign
            case .invalid, .sign, .digits, .point, .fraction, .exponentSign, .exponentDigits: .invalid
            }
        }

        private var afterPoint: Step {
            switch self {
            case .ended, .space, .sign: .point
            case .digits: .fraction
            case .invalid, .point, .fraction, .exponent, .exponentSign, .exponentDigits: .invalid
            }
        }
    }

    /// By a step and the byte that comes, where the next step's part of the table begins.
    static func makeTable() -> [UInt16] {
        Step.allCases.flatMap { step in (0...255).map { UInt16(step.next(UInt8($0)).rawValue) << 8 } }
    }

    /// Bytes from which on numbers are counted by blocks first.
    private static let leastRun = 24

    private var step = Step.space.rawValue
    /// Numbers that have ended.
    private(set) var ended = 0

    /// Whether the last item goes on, if more comes.
    var isWithin: Bool { step > Step.space.rawValue }

    /// Whether all that came is numbers, the last one too if nothing more comes.
    var isSound: Bool { !isWithin || (Step(rawValue: step)?.isNumber ?? false) }

    /// Numbers, if nothing more comes.
    var count: Int { isWithin ? ended + 1 : ended }

    /// Takes a piece; where something in it is no number, or not surely one, takes none of it and says no.
    @inline(__always)
    mutating func take(_ text: Span<UInt8>, _ table: [UInt16]) -> Bool {
        var row = UInt16(step) << 8
        var ended = ended
        var start = 0
        if text.count >= Self.leastRun, !isWithin {
            let run = NumberRun(in: text)
            (start, ended) = (run.bytes, ended + run.count)
            if start > 0 { row = UInt16(Step.space.rawValue) << 8 }
        }
        for place in start..<text.count {
            row = table[Int(row | UInt16(text[place]))]
            ended &+= row == UInt16(Step.ended.rawValue) << 8 ? 1 : 0
        }
        let step = UInt8(row >> 8)
        guard step != Step.invalid.rawValue else { return false }
        self.step = step
        self.ended = ended
        return true
    }
}
