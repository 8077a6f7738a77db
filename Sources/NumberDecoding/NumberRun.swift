import CTextScan
import Glibc

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
    package init(in text: UnsafeRawBufferPointer) {
        guard PlainText.isFast, let base = text.baseAddress else { return }
        var end = text.count
        while end > 0, !Byte.isSpace(text[end - 1]) {
            end -= 1
            // What is so long is no plain number.
            guard text.count - end < Self.size else { return }
        }
        take(base, end)
        // What does not fill a block is looked at with white space behind it.
        let rest = end - bytes
        guard rest > 0, rest <= Self.size else { return }
        let counted = withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 1) { block in
            var run = NumberRun()
            guard let start = block.baseAddress else { return run }
            memset(start, Int32(Byte.space), Self.size)
            memcpy(start, base + bytes, rest)
            run.take(start, Self.size)
            return run
        }
        guard counted.bytes == Self.size else { return }
        bytes = end
        count += counted.count
    }

    private init() {}

    private mutating func take(_ base: UnsafeRawPointer, _ end: Int) {
        var place = base
        count += VectorScan.count(from: &place, to: base + end)
        bytes = place - base
    }
}
