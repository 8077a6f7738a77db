// Vector instructions read plain tokens twice as fast as words do. What they read is what the loops beside them read, bit
// for bit, so nothing is lost where a machine has none.

import CTextScan
import Glibc

/// How the hot loops go through a long text.
enum ScanMethod: CaseIterable {
    /// By vector instructions as far as tokens are plain.
    case vectors
    /// In words of eight bytes, on every machine.
    case words

    /// The fastest one that this machine has.
    static let best: ScanMethod = dae_has_vectors() ? .vectors : .words

    /// Those that this machine has.
    static var available: [ScanMethod] { best == .vectors ? allCases : [.words] }
}

enum VectorScan {
    private static let size = 64
    /// A list where so few tokens in a row are plain is read faster in words.
    private static let leastRun = 16

    /// Whether ``reals(_:into:_:from:to:)`` and ``integers(_:into:_:from:to:)`` have room for what may come.
    @inline(__always)
    static func fits(_ progress: Progress, _ capacity: Int, _ end: UnsafeRawPointer) -> Bool {
        capacity - progress.count >= Swift.min(size, end - progress.place + 1) / 2
    }

    /// Reads up to a token that is not plain.
    ///
    /// - Precondition: The machine has vector instructions.
    /// - Parameter start: From here on text can be read; its last byte before `end` is white space.
    /// - Returns: The method to go on with.
    static func reals(
        _ progress: inout Progress, into output: UnsafeMutablePointer<Double>, _ capacity: Int,
        from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> ScanMethod {
        run(&progress) { place, count in
            dae_scan_reals(
                start.assumingMemoryBound(to: CChar.self), &place, end.assumingMemoryBound(to: CChar.self),
                output + count, capacity - count)
        }
    }

    /// Reads up to a token that is not plain, as ``reals(_:into:_:from:to:)`` does.
    static func integers(
        _ progress: inout Progress, into output: UnsafeMutablePointer<Int32>, _ capacity: Int,
        from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> ScanMethod {
        run(&progress) { place, count in
            dae_scan_integers(
                start.assumingMemoryBound(to: CChar.self), &place, end.assumingMemoryBound(to: CChar.self),
                output + count, capacity - count)
        }
    }

    /// Counts plain tokens and forgets them.
    ///
    /// - Precondition: The machine has vector instructions.
    /// - Parameter place: White space, or a token's beginning; moved on to the first token that is not counted.
    static func count(from place: inout UnsafeRawPointer, to end: UnsafeRawPointer) -> Int {
        var reached: UnsafePointer<CChar>? = place.assumingMemoryBound(to: CChar.self)
        let count = dae_count_reals(&reached, end.assumingMemoryBound(to: CChar.self))
        if let reached { place = UnsafeRawPointer(reached) }
        return count
    }

    @inline(__always)
    private static func run(
        _ progress: inout Progress, _ scan: (_ place: inout UnsafePointer<CChar>?, _ count: Int) -> Int
    ) -> ScanMethod {
        var place: UnsafePointer<CChar>? = progress.place.assumingMemoryBound(to: CChar.self)
        let made = scan(&place, progress.count)
        progress.count += made
        if let place { progress.place = UnsafeRawPointer(place) }
        return made < leastRun ? .words : .vectors
    }
}

/// A run of text in which nothing is out of the common, up to the markup behind it or the end of what is there.
package struct PlainText {
    /// Bytes.
    package let count: Int
    package let newlines: Int
    /// The place of the last newline, where there is one.
    package let lastNewline: Int

    package init(count: Int, newlines: Int, lastNewline: Int) {
        self.count = count
        self.newlines = newlines
        self.lastNewline = lastNewline
    }

    /// Whether this machine looks through text by vector instructions; else ``init(of:_:withReturns:)`` gives nothing.
    package static let isFast = dae_has_vectors()

    /// `nil` where something stands before the next `<` that is no plain text: a reference, a bracket, a control character
    /// or a byte above 127.
    package init?(of bytes: UnsafePointer<UInt8>, _ count: Int, withReturns: Bool) {
        var newlines = 0
        var last = -1
        let end = UnsafeRawPointer(bytes).withMemoryRebound(to: CChar.self, capacity: count) {
            dae_scan_text($0, count, withReturns ? 1 : 0, &newlines, &last)
        }
        // SIZE_MAX, which is -1 here.
        guard end >= 0 else { return nil }
        self.count = end
        self.newlines = newlines
        lastNewline = last
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
