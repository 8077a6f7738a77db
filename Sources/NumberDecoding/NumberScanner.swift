// Vector instructions read plain tokens twice as fast as words do. What they read is what the loop beside them reads, bit
// for bit, so nothing is lost where a machine has none.

import CTextScan

/// How the loop goes through a long text.
enum ScanMethod: CaseIterable {
    /// By vector instructions as far as tokens are plain.
    case vectors
    /// Token by token, on every machine.
    case tokens

    /// The fastest one that this machine has.
    static let best: ScanMethod = dae_has_vectors() ? .vectors : .tokens

    /// Those that this machine has.
    static var available: [ScanMethod] { best == .vectors ? allCases : [.tokens] }
}

/// Text whose last byte is white space, so that every token ends inside it, with ``padding`` bytes of anything behind it, so
/// that eight bytes can be read wherever a token is.
enum PaddedText {
    static let padding = 8
    /// White space enough behind a text that all of it can be read, in bytes.
    static let room = padding + 1

    /// Where the longest such text ends that begins where `bytes` do; 0 where there is none.
    static func end(in bytes: Span<UInt8>) -> Int {
        var end = bytes.count - padding
        while end > 0, !Byte.isSpace(bytes[end - 1]) { end -= 1 }
        return max(end, 0)
    }
}

/// The loop over a list of numbers.
enum NumberScanner {
    private static let largestBlock = 4096
    private static let leastBlock = 64
    /// A list where so few tokens in a row are plain to vector instructions is read faster token by token.
    private static let leastRun = 16

    /// Appends the plain numbers of a padded text from `start` on.
    ///
    /// The array grows with the text that is there, by at most one element for two bytes, once nearly all of it is filled.
    ///
    /// - Parameter end: Of the text, ``PaddedText/end(in:)``.
    /// - Returns: The end, or the first byte of a token that is anything else.
    @inline(__always)
    static func scan<Number: DecodableNumber>(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, into values: inout [Number], by method: ScanMethod = .best
    ) -> Int {
        var place = start
        var isFull = true
        while isFull, place < end {
            let block = min((end - place + 1) / 2, largestBlock, max(values.capacity - values.count, leastBlock))
            values.append(addingCapacity: block) { output in
                fill(&output, bytes, &place, end, method)
                isFull = output.isFull
            }
        }
        return place
    }

    private static func fill<Number: DecodableNumber>(
        _ output: inout OutputSpan<Number>, _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, _ method: ScanMethod
    ) {
        var method = method
        while !output.isFull {
            // Of 64 bytes at most half begin numbers.
            if method == .vectors, output.freeCapacity >= min(64, end - place + 1) / 2 {
                let before = output.count
                Number.scanVectors(bytes, &place, end, into: &output)
                if output.count - before < leastRun { method = .tokens }
                guard !output.isFull else { return }
            }
            while place < end, Byte.isSpace(bytes[place]) { place += 1 }
            guard place < end, let (value, after) = Number.plain(bytes, at: place) else { return }
            output.append(value)
            place = after
        }
    }
}

extension Double {
    /// Reads numbers by vector instructions, up to a token that is not plain to them.
    package static func scanVectors(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, into output: inout OutputSpan<Double>
    ) {
        output.scan(bytes, &place, end, dae_scan_reals)
    }
}

extension Int32 {
    package static func scanVectors(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, into output: inout OutputSpan<Int32>
    ) {
        output.scan(bytes, &place, end, dae_scan_integers)
    }
}

/// A function of CTextScan that reads numbers: from where on text can be read, the place, the end, the numbers, how many fit.
private typealias VectorScan<Number> = (
    UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafePointer<CChar>?,
    UnsafeMutablePointer<Number>?, Int
) -> Int

extension OutputSpan {
    @inline(__always)
    fileprivate mutating func scan(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, _ read: VectorScan<Element>
    ) {
        bytes.withText { text in
            var reached: UnsafePointer<CChar>? = text + place
            withUnsafeMutableBufferPointer { room, count in
                count += read(text, &reached, text + end, room.baseAddress.map { $0 + count }, room.count - count)
            }
            place = reached.map { $0 - text } ?? place
        }
    }
}

extension Span where Element == UInt8 {
    /// As C has texts.
    @inline(__always)
    fileprivate func withText(_ body: (UnsafePointer<CChar>) -> Void) {
        bytes.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { body(start.assumingMemoryBound(to: CChar.self)) }
        }
    }
}

/// Numbers at the beginning of a text of which only how many they are is asked.
package struct NumberRun {
    /// With the white space behind the last one.
    package private(set) var bytes = 0
    package private(set) var count = 0

    private static let size = 64

    /// Takes plain numbers by vector instructions, as long as white space stands behind each; none where the machine has
    /// no such instructions.
    ///
    /// - Parameter text: Begins with white space or a number.
    package init(in text: Span<UInt8>) {
        guard ScanMethod.best == .vectors else { return }
        var end = text.count
        while end > 0, !Byte.isSpace(text[end - 1]) {
            end -= 1
            // What is so long is no plain number.
            guard text.count - end < Self.size else { return }
        }
        take(text, to: end)
        // What does not fill a block is looked at with white space behind it.
        guard (1...Self.size).contains(end - bytes) else { return }
        var block = InlineArray<64, UInt8>(repeating: Byte.space)
        for place in bytes..<end { block[place - bytes] = text[place] }
        var rest = NumberRun()
        rest.take(block.span, to: Self.size)
        guard rest.bytes == Self.size else { return }
        bytes = end
        count += rest.count
    }

    private init() {}

    private mutating func take(_ text: Span<UInt8>, to end: Int) {
        text.withText { start in
            var reached: UnsafePointer<CChar>? = start
            count += dae_count_reals(&reached, start + end)
            bytes = reached.map { $0 - start } ?? 0
        }
    }
}
