/// Numbers of every kind that a Double has: what a writer may trip over is among them.
public enum EveryKindOfNumber {
    /// The powers of two with both signs, from the least to the greatest: −2⁶³ is one of them.
    public static let powers: [Double] = (-1074...1023).flatMap { exponent in
        let power = Double(sign: .plus, exponent: exponent, significand: 1)
        return [power, -power]
    }
    /// Where something ends: of the formats, of whole numbers, of what is written without a point.
    public static let limits: [Double] = [
        0, .leastNormalMagnitude, .greatestFiniteMagnitude, Double(Float.greatestFiniteMagnitude),
        Double(Float.leastNonzeroMagnitude), Double(Int32.max), Double(UInt32.max), Double(Int64.max),
        Double(UInt64.max), 9_007_199_254_740_991, 9_007_199_254_740_994, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e-5,
        0.1, 1.0 / 3,
    ].flatMap { [$0, -$0] }
    public static let none: [Double] = [.nan, .infinity, -.infinity, .signalingNaN]

    /// ``powers`` and ``limits``, the neighbours of each, and ``none``.
    public static let all: [Double] = (powers + limits).flatMap { [$0, $0.nextUp, $0.nextDown] } + none
}
