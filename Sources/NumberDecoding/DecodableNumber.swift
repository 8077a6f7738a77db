/// A number that can be read from text: `Float`, `Double` and `Int32`.
///
/// No other type can conform, since only this module can make a ``NumberFormat``.
public protocol DecodableNumber: Sendable, BitwiseCopyable {
    /// How the type is read.
    static var format: NumberFormat<Self> { get }
}

/// What the decoder has to know of a type. Each closure is one for a whole chunk, compiled for its type.
public struct NumberFormat<Number: Sendable>: Sendable {
    /// Appends plain numbers from a place on; gives the end, or the place of the first token that is anything else.
    let scan: @Sendable (PaddedText, Int, inout [Number]) -> Int
    /// Reads one token with the given decimal point.
    let read: @Sendable (UnsafeRawBufferPointer, UInt8) -> TokenReading<Number>
    /// Keeps the place of what cannot be read.
    let placeholder: Number
}

extension Float: DecodableNumber {
    public static var format: NumberFormat<Float> {
        NumberFormat(scan: RealScanner<Float>.scan, read: TokenReading<Float>.real, placeholder: .nan)
    }
}

extension Double: DecodableNumber {
    public static var format: NumberFormat<Double> {
        NumberFormat(scan: RealScanner<Double>.scan, read: TokenReading<Double>.real, placeholder: .nan)
    }
}

extension Int32: DecodableNumber {
    public static var format: NumberFormat<Int32> {
        NumberFormat(scan: IntegerScanner.scan, read: TokenReading<Int32>.integer, placeholder: 0)
    }
}
