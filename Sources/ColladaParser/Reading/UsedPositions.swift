/// Which positions a primitive uses: one bit each.
struct UsedPositions {
    /// Positions there are.
    let count: Int
    private var words: [UInt64]

    init(count: Int) {
        self.count = count
        words = Array(of: (count + 63) / 64, each: 0)
    }

    private init(_ count: Int, _ words: [UInt64]) { (self.count, self.words) = (count, words) }

    /// Those of a longer row; what is used in it lies below `count`, or the row says nothing.
    init(count: Int, among longer: UsedPositions) {
        guard count != longer.count else {
            self = longer
            return
        }
        let needed = (count + 63) / 64
        guard longer.words.count >= needed else {
            self.init(count: count)
            for index in longer.words.indices { words[index] = longer.words[index] }
            return
        }
        self.init(count, Array(longer.words[..<needed]))
    }

    /// A bit each, those of the first in the lowest; nothing where all are used.
    var bits: [UInt64] { used == count ? [] : words }

    /// How many are used.
    var used: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

    /// - Parameter body: Marks the positions it meets; an index is at least 0 and below ``count``.
    mutating func mark(_ body: (_ words: UnsafeMutableBufferPointer<UInt64>) -> Void) {
        words.withUnsafeMutableBufferPointer { body($0) }
    }
}
