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

/// Looks for white space in 64 bytes at once, so that several tokens are read side by side: a token's length is known late
/// when it is found by reading it, and all behind it waits for that.
enum SpaceRun {
    private static let size = 64
    /// Bytes that may be read before a token.
    private static let margin = 8

    /// Whether ``read(_:_:to:_:)`` can read anything.
    ///
    /// - Parameter start: From here on text can be read.
    @inline(__always)
    static func fits(
        _ progress: Progress, _ capacity: Int, _ start: UnsafeRawPointer, _ end: UnsafeRawPointer
    ) -> Bool {
        progress.place - start >= margin && end - progress.place >= size && capacity - progress.count >= size / 2
    }

    /// Reads tokens as long as there are 64 bytes and room for what they may hold.
    ///
    /// - Parameter take: Gets a token's beginning, its end and its place among the numbers; says whether it was taken. The
    ///   first one that is not ends the reading. No byte of it is white space.
    @inline(__always)
    static func read(
        _ progress: inout Progress, _ capacity: Int, to end: UnsafeRawPointer,
        _ take: (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool
    ) {
        var token = progress.place
        var block = token
        var count = progress.count
        reading: while end - block >= size, capacity - count >= size / 2 {
            var spaces = mask(at: block)
            while spaces != 0 {
                let after = block + spaces.trailingZeroBitCount
                spaces &= spaces &- 1
                // Other control characters are no white space.
                let space = after.load(as: UInt8.self)
                guard space == Byte.space || Byte.isSpace(space) else { break reading }
                if after > token {
                    guard take(token, after, count) else { break reading }
                    count &+= 1
                }
                token = after + 1
            }
            block += size
        }
        progress.place = token
        progress.count = count
    }

    /// One bit for each of 64 bytes: whether it is a space or a control character.
    @inline(__always)
    private static func mask(at block: UnsafeRawPointer) -> UInt64 {
        var mask: UInt64 = 0
        var at: UInt64 = 0
        while at < UInt64(size) {
            let bytes = UInt64(
                littleEndian: (block + Int(truncatingIfNeeded: at)).loadUnaligned(as: UInt64.self))
            // The top bit of each byte above 0x20.
            let others = ((bytes & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x5F5F_5F5F_5F5F_5F5F) | bytes
            // The eight top bits side by side, by one product in which no two of them meet.
            let eight = ((~others & 0x8080_8080_8080_8080) &>> 7) &* 0x0102_0408_1020_4080
            mask |= (eight &>> 56) &<< at
            at &+= 8
        }
        return mask
    }
}
