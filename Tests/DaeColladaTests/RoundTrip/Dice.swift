import TestSupport

/// Choices, numbers and texts that are the same in every run.
struct Dice {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < share }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

    mutating func pick<Value>(_ list: [Value]) -> Value { list[int(0...list.count - 1)] }

    mutating func shuffled<Value>(_ list: [Value]) -> [Value] { list.shuffled(using: &numbers) }

    mutating func maybe<Value>(_ share: Double, _ make: (inout Dice) -> Value) -> Value? {
        chance(share) ? make(&self) : nil
    }

    mutating func list<Value>(_ counts: ClosedRange<Int>, _ make: (inout Dice) -> Value) -> [Value] {
        (0..<int(counts)).map { _ in make(&self) }
    }

    // MARK: - Numbers

    private static let corners: [Double] = [
        0, -0.0, 1, -1, 0.1, 1.0 / 3, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, 9_007_199_254_740_991, 1e22, 1e23, 123_456_789.125,
        Double.leastNormalMagnitude.nextDown,
    ]

    /// Any finite number, those of every day more often than their share.
    mutating func number() -> Double {
        switch int(0...5) {
        case 0: return Double(int(-10...10))
        case 1, 2: return tame()
        case 3: return pick(Self.corners)
        default:  // integers
            let any = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &numbers))
            return any.isFinite ? any : tame()
        }
    }

    /// −100...100.
    mutating func tame() -> Double { Double.random(in: -100...100, using: &numbers) }

    mutating func positive() -> Double {
        let number = abs(number())
        return number > 0 ? number : 1
    }

    mutating func numbers(_ count: Int) -> [Double] { (0..<count).map { _ in number() } }

    mutating func vector() -> SIMD3<Double> { SIMD3(number(), number(), number()) }

    mutating func color() -> SIMD4<Double> {
        chance(0.5) ? SIMD4(tame() / 100, tame() / 100, 0.5, 1) : SIMD4(number(), number(), number(), number())
    }

    // MARK: - Texts

    private static let pieces = [
        "a", "Z", "9", "_", "-", ".", "#", "/", "%20", "&", "<", ">", "\"", "'", "]]>", "<!--", "&amp;", "é", "ß", "名前",
        "🦆", "e\u{301}", "\u{a0}", "\u{2028}", "()", "X",
    ]

    /// A text without white space around it, at least one character long.
    mutating func text() -> String {
        var text = pick(Self.pieces)
        for _ in 0..<int(0...5) { text += pick([" ", "", "", "\t", "\n"]) + pick(Self.pieces) }
        return text
    }

    /// What an attribute may be: also empty, or with white space around it.
    mutating func name() -> String {
        switch int(0...7) {
        case 0: ""
        case 1: " " + text() + "\n"
        default: text()  // integers
        }
    }
}
