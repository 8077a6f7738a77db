// A table leads from byte to byte, whatever a number looks like: of lists of a few numbers each, which matrices and
// colours are, a closer look costs more than the numbers.

import NumberDecoding

/// A list of `xs:double` that arrives in pieces, as far as nothing is wrong with it.
struct NumberListScan: BitwiseCopyable {
    /// How far the item at hand has come.
    private enum Step: UInt8, CaseIterable {
        /// It is none, or one of the words for what is not finite.
        case odd
        /// White space has just ended it; else ``space``.
        case ended
        case space
        case sign, digits, point, fraction, exponent, exponentSign, exponentDigits

        /// Whether what came so far is a number.
        var isNumber: Bool {
            switch self {
            case .digits, .fraction, .exponentDigits: true
            case .odd, .ended, .space, .sign, .point, .exponent, .exponentSign: false
            }
        }

        func next(_ byte: UInt8) -> Step {
            switch byte {
            case 0x20, 0x0A, 0x09, 0x0D: afterSpace
            case UInt8(ascii: "0")...UInt8(ascii: "9"): afterDigit
            case UInt8(ascii: "+"), UInt8(ascii: "-"): afterSign
            case UInt8(ascii: "."): afterPoint
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isNumber && self != .exponentDigits ? .exponent : .odd
            default: .odd  // bytes
            }
        }

        private var afterSpace: Step {
            switch self {
            case .ended, .space: .space
            case .digits, .fraction, .exponentDigits: .ended
            case .odd, .sign, .point, .exponent, .exponentSign: .odd
            }
        }

        private var afterDigit: Step {
            switch self {
            case .ended, .space, .sign, .digits: .digits
            case .point, .fraction: .fraction
            case .exponent, .exponentSign, .exponentDigits: .exponentDigits
            case .odd: .odd
            }
        }

        private var afterSign: Step {
            switch self {
            case .ended, .space: .sign
            case .exponent: .exponentSign
            case .odd, .sign, .digits, .point, .fraction, .exponentSign, .exponentDigits: .odd
            }
        }

        private var afterPoint: Step {
            switch self {
            case .ended, .space, .sign: .point
            case .digits: .fraction
            case .odd, .point, .fraction, .exponent, .exponentSign, .exponentDigits: .odd
            }
        }
    }

    /// By a step and the byte that comes, where the next step's part of the table begins.
    static func makeTable() -> FixedList<UInt16> {
        FixedList(Step.allCases.flatMap { step in (0...255).map { UInt16(step.next(UInt8($0)).rawValue) << 8 } })
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
    mutating func take(_ text: UnsafeRawBufferPointer, _ table: FixedList<UInt16>) -> Bool {
        var row = UInt16(step) << 8
        var ended = ended
        var start = 0
        if text.count >= Self.leastRun, !isWithin {
            let run = NumberRun(in: text)
            (start, ended) = (run.bytes, ended + run.count)
            if start > 0 { row = UInt16(Step.space.rawValue) << 8 }
        }
        for byte in text[start...] {
            row = table[Int32(row | UInt16(byte))]
            ended &+= row == UInt16(Step.ended.rawValue) << 8 ? 1 : 0
        }
        let step = UInt8(row >> 8)
        guard step != Step.odd.rawValue else { return false }
        self.step = step
        self.ended = ended
        return true
    }
}
