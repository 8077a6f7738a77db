/// A number that can be read from text: `Float`, `Double` and `Int32`.
///
/// No other type can conform, since only this module can make a ``NumberFormat``.
public protocol DecodableNumber: Sendable, BitwiseCopyable {
    static var format: NumberFormat<Self> { get }
}

/// How numbers of one type are read, compiled for that type; called once for a chunk.
public struct NumberFormat<Number: DecodableNumber>: Sendable {
    let read: @Sendable (inout NumberDecoder<Number>, PaddedText, CommaReading?) -> Int
}

/// What the decoder has to know of a type.
protocol ReadableNumber: DecodableNumber {
    /// Keeps the place of what cannot be read.
    static var placeholder: Self { get }
    /// Appends plain numbers from `start` on; gives the end, or the place of the first token that is anything else.
    static func scan(_ text: PaddedText, from start: Int, into values: inout [Self]) -> Int
    /// Counts plain numbers from `place` on, as far as that is faster than reading them; moves it behind them.
    static func count(from place: inout UnsafeRawPointer, to end: UnsafeRawPointer) -> Int
    /// Reads one token, in whatever spelling.
    ///
    /// - Parameter point: The byte that is the decimal point; a comma is told of.
    static func reading(_ token: UnsafeRawBufferPointer, point: UInt8) -> TokenReading<Self>
}

// One closure a type, not one for all: so that each is compiled for its type.

extension Float {
    public static var format: NumberFormat<Float> { NumberFormat { $0.read($1, commas: $2) } }
}

extension Double {
    public static var format: NumberFormat<Double> { NumberFormat { $0.read($1, commas: $2) } }
}

extension Int32: ReadableNumber {
    public static var format: NumberFormat<Int32> { NumberFormat { $0.read($1, commas: $2) } }
}

extension ReadableNumber {
    static func count(from place: inout UnsafeRawPointer, to end: UnsafeRawPointer) -> Int { 0 }
}
