/// Decides which bytes are asked for when some are missing: few requests, and few bytes that nobody reads.
struct ReadAhead: Sendable, Hashable {
    /// What is asked for at least, and the step at which requests begin and end.
    static let block: Int64 = 32 << 10
    /// What one request asks for at most.
    static let most: Int64 = 4 << 20

    /// What the reader said it was going to read, or a beginning of; `nil` where it said nothing.
    private var announced: Range<Int64>?
    /// Where the last request ended, and how much the next will ask for if the reader goes on there.
    private var front: Int64 = -1
    private var stride = block

    /// The reader will read this from front to back: nothing behind it is asked for in advance.
    mutating func announce(_ range: Range<Int64>) { announced = range }

    /// What is to be asked for so that `position` can be read. It may begin earlier, as those who look for something look
    /// around; not before what was announced.
    ///
    /// - Parameters:
    ///   - wanted: Bytes the reader has room for, at least 1.
    ///   - present: What need not be asked for; `position` is not in it.
    ///   - size: Of the whole.
    mutating func request(
        at position: Int64, wanted: Int64, present: ByteRanges, size: Int64
    ) -> Range<Int64> {
        let isGoingOn = position == front
        stride = isGoingOn ? min(stride * 4, Self.most) : Self.block
        let isAnnounced = announced?.contains(position) ?? false
        var start = isGoingOn || isAnnounced ? position : position / Self.block * Self.block
        let least = max(start + stride, position + min(wanted, Self.most))
        var end = min((least + Self.block - 1) / Self.block * Self.block, size)
        if let announced, isAnnounced { end = min(end, max(announced.upperBound, position + min(wanted, Self.most))) }
        if let next = present.next(from: position) { end = min(end, next) }
        if let last = present.end(before: position) { start = max(start, last) }
        front = end
        return start..<max(end, position + 1)
    }
}
