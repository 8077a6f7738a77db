/// A binary floating-point format that decimals are rounded to. Patterns are without the sign, in the low bits.
protocol BinaryFormat: BinaryFloatingPoint, ReadableNumber {
    /// Bits of a normal number's significand, the hidden one among them.
    static var precision: Int { get }
    /// Power of two of the lowest bit of a subnormal number.
    static var leastExponent: Int { get }
    static var infinityPattern: UInt64 { get }

    /// The number with this pattern and sign.
    init(pattern: UInt64, isNegative: Bool)
    /// What the number nearest to `quotient` was rounded from rounds to; `nil` where `quotient` does not tell.
    ///
    /// `quotient` is the `Double` nearest to some real number, 0 or of at least 1e-22.
    init?(settling quotient: Double, isNegative: Bool)

    /// The road that can be gone for this format.
    static func road(of best: ScanRoad) -> ScanRoad
    /// Reads by vector instructions up to a token that is not plain.
    static func readPlain(
        _ progress: inout Progress, into output: UnsafeMutablePointer<Self>, _ capacity: Int, by road: ScanRoad,
        from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> ScanRoad
}

extension BinaryFormat {
    static func road(of best: ScanRoad) -> ScanRoad { .words }

    static func readPlain(
        _ progress: inout Progress, into output: UnsafeMutablePointer<Self>, _ capacity: Int, by road: ScanRoad,
        from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> ScanRoad { .words }
}

extension Double: BinaryFormat {
    static func road(of best: ScanRoad) -> ScanRoad { best }

    static func count(from place: inout UnsafeRawPointer, to end: UnsafeRawPointer) -> Int {
        switch ScanRoad.best {
        case .wideVectors, .vectors: VectorScan.count(from: &place, to: end)
        case .words: 0
        }
    }

    static func readPlain(
        _ progress: inout Progress, into output: UnsafeMutablePointer<Double>, _ capacity: Int, by road: ScanRoad,
        from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> ScanRoad { VectorScan.reals(&progress, into: output, capacity, by: road, from: start, to: end) }

    static var precision: Int { 53 }
    static var leastExponent: Int { -1074 }
    static var infinityPattern: UInt64 { 0x7FF0_0000_0000_0000 }

    @inline(__always)
    init(pattern: UInt64, isNegative: Bool) {
        self.init(bitPattern: pattern | (isNegative ? 1 << 63 : 0))
    }

    @inline(__always)
    init?(settling quotient: Double, isNegative: Bool) {
        self.init(pattern: quotient.bitPattern, isNegative: isNegative)
    }
}

extension Float: BinaryFormat {
    static var precision: Int { 24 }
    static var leastExponent: Int { -149 }
    static var infinityPattern: UInt64 { 0x7F80_0000 }

    init(pattern: UInt64, isNegative: Bool) {
        self.init(bitPattern: UInt32(truncatingIfNeeded: pattern) | (isNegative ? 1 << 31 : 0))
    }

    /// Rounding twice goes wrong only where the first rounding ended on the middle between two `Float`s: every such
    /// middle is a `Double`, so a real number on one side of it never became a `Double` on the other side.
    @inline(__always)
    init?(settling quotient: Double, isNegative: Bool) {
        let lost: UInt64 = 1 << 29
        guard quotient.bitPattern & (lost - 1) != lost / 2 else { return nil }
        self.init(Double(pattern: quotient.bitPattern, isNegative: isNegative))
    }
}
