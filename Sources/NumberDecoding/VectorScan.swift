// Vector instructions read plain tokens twice as fast as words do. What they read is what the loops beside them read, bit
// for bit, so nothing is lost where a machine has none.

import CTextScan

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
