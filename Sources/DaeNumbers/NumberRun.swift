import CTextScan

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
