/// What a hot loop did with one block of memory.
struct Progress {
    /// Numbers written.
    var count = 0
    /// First byte that is not read.
    var place: UnsafeRawPointer
}

/// The next token from `place` on, or `end`.
@inline(__always)
func skipSpace(from place: UnsafeRawPointer, to end: UnsafeRawPointer) -> UnsafeRawPointer {
    var place = place
    while place < end, Byte.isSpace(place.load(as: UInt8.self)) { place += 1 }
    return place
}

extension Array {
    /// Lets `fill` write numbers into the array's own memory, block after block, until it leaves a block unfilled.
    ///
    /// The array grows with the text that is there, by at most one element for two bytes, once nearly all of it is filled.
    ///
    /// - Parameter fill: Reads from its first argument up to the second.
    /// - Returns: Where reading stopped, from 0 at the beginning of `text`.
    @inline(__always)
    mutating func appendBlocks(
        of text: PaddedText, from start: Int,
        fill: (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableBufferPointer<Element>) -> Progress
    ) -> Int {
        let largestBlock = 4096
        let leastBlock = 64
        var place = text.base + start
        let end = text.base + text.count
        var isFull = true
        while isFull, place < end {
            let block = Swift.min((end - place + 1) / 2, largestBlock, Swift.max(capacity - count, leastBlock))
            append(addingCapacity: block) { span in
                span.withUnsafeMutableBufferPointer { block, count in
                    let progress = fill(place, end, block)
                    count = progress.count
                    place = progress.place
                    isFull = count == block.count
                }
            }
        }
        return place - text.base
    }
}
