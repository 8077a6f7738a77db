// A token's length is known late when it is found by reading it, and all behind it waits for that. Here white space is
// looked for in 64 bytes at once, so that several tokens are read side by side.

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
